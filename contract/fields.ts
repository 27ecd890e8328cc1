import { z } from 'zod';
import { passkeyAnswer } from './accounts/passkeys.ts';
import { controlMessage, hasNoControl, id, line, visibleText, withoutDirection } from './endpoint.ts';
import { isExact, MAX_DOLLARS } from './money.ts';
import {
  emailPattern,
  enterValid,
  isRequired,
  labels,
  mobileNumberPattern,
  otpLength,
  recoveryCodePattern,
} from './rules.ts';
import { english } from './texts.ts';

const { t } = english;

/** Path parameters of a call about one row. */
export const one = z.strictObject({ id: id.transform(BigInt) });

/** The version of a row that the caller saw; a decision about an older one is refused. */
export const version = z.number().int().min(1);

/** An operator's reason for the audit log, often shown to the member as well. */
export const why = line(300, t`Say why.`);

export const otpCode = z
  .string(t`Enter the code.`)
  .regex(new RegExp(`^\\d{${otpLength}}$`), t`The code has ${otpLength} digits.`);

/** Upper or lower case, with or without hyphens. */
export const recoveryCode = z.string(t`Enter the code.`).regex(recoveryCodePattern, t`This is not a recovery code.`);

const enterCode = t`Enter the ${otpLength} digits of your authenticator app, or a recovery code.`;

/**
 * A member's second factor besides the password: a code of the authenticator app, a recovery code, or a passkey's
 * response to `auth/passkeys/challenge`.
 */
export const secondFactor = z.union(
  [z.string().regex(new RegExp(`^\\d{${otpLength}}$|${recoveryCodePattern.source}`, 'i'), enterCode), passkeyAnswer],
  enterCode,
);
export type SecondFactor = z.output<typeof secondFactor>;

/** Refusals of every member call with `second_factor`: required and missing, or wrong. */
export const memberFactorRefusals = ['second_factor_required', 'wrong_second_factor', 'passkey_refused'] as const;

/**
 * Fresh proof of the operator's identity for a decision: a code of their authenticator app, or a passkey's response to
 * `operator/passkeys/challenge`.
 */
export const operatorCode = z.union([otpCode, passkeyAnswer], {
  error: ({ input }) => (input === undefined ? t`Enter the code.` : t`The code has ${otpLength} digits.`),
});
export type OperatorCode = z.output<typeof operatorCode>;

/** Refusals of every call that takes `operatorCode`. */
export const secondFactorRefusals = ['second_factor_missing', 'wrong_second_factor', 'passkey_refused'] as const;

/** An operator, as named in the record of an action. */
export const actor = z.strictObject({ id, name: z.string() });

export const memberName = z.strictObject({ id, referral_code: z.string(), name: z.string() });

/** The transaction hash of an external payment. */
export const transactionHash = line(200, t`Enter the transaction hash.`).pipe(
  z.string().regex(/^[A-Za-z0-9:_-]{6,200}$/, t`Not a transaction hash.`),
);

/** Plain text with line breaks and tabs; other control characters are refused, direction marks removed. */
export const multilineText = (maxLength: number, message: string) =>
  z
    .string(message)
    .max(maxLength, t`At most ${maxLength} characters.`)
    .transform((text) => withoutDirection(text).replaceAll('\r\n', '\n').trim())
    .refine((text) => hasNoControl(text.replaceAll(/[\n\t]/g, '')), controlMessage)
    .pipe(visibleText(message));

/** Personal data entered by its owner, under the rules of the specification, point 1. */
export const personName = line(100, isRequired(labels.name));

export const emailAddress = line(254, isRequired(labels.email)).pipe(
  z.string().regex(emailPattern, enterValid(labels.email)),
);

/** An operator's, under the rule of ADMIN_EMAIL: the ending of a company's domain may be longer than a member's may. */
export const operatorEmail = line(254, isRequired(labels.email)).pipe(z.email(enterValid(labels.email)));

/** Dial code followed by ten digits. */
export const mobileNumber = z
  .string(isRequired(labels.mobile))
  .min(1, { error: isRequired(labels.mobile), abort: true })
  .regex(mobileNumberPattern, enterValid(labels.mobile));

/** An amount in a request: dollars, not negative, at most 6 decimals and `MAX_DOLLARS`. The operation checks minimums. */
export const moneyAmount = z
  .number(t`Enter an amount in numbers.`)
  .nonnegative(t`An amount cannot be negative.`)
  .max(MAX_DOLLARS, t`The amount is too large.`)
  .refine(isExact, t`An amount has at most 6 decimals.`)
  .meta({ description: 'US dollars, at most 6 decimals' });

/** Dollars in a reply, never negative; a sum above `MAX_DOLLARS` is the nearest number (`toTotal`). */
export const money = z.number().nonnegative().meta({ description: 'US dollars, at most 6 decimals' });

/** The same, either sign. */
export const signedMoney = z.number().meta({ description: 'US dollars, signed, at most 6 decimals' });
