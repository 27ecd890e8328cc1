import { labels, passwordMinLength, recoveryCodePattern } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import { type Check, first, personRules, required } from '../../entities/member/check.ts';

export { problemsOf } from '../../entities/member/check.ts';

export const newPassword: Check = first(required(labels.password), (value) =>
  value.length < passwordMinLength ? t`At least ${passwordMinLength} characters.` : null,
);

/**
 * The rules of the specification, point 5, with its messages. The server applies the same ones and has the last word.
 */
export const loginRules = {
  loginId: required(labels.registeredId),
  password: required(labels.password),
} satisfies Record<string, Check>;

export const registerRules = {
  referralCode: required(labels.invitationId),
  ...personRules,
  password: newPassword,
} satisfies Record<string, Check>;

export const recoveryCodeRule: Check = first(required(t`Recovery code`), (value) =>
  recoveryCodePattern.test(value.trim()) ? null : t`Enter a valid recovery code.`,
);
