import { isRequired, labels, passwordMinLength } from '#contract/rules.ts';
import { t, translate } from '../../api/texts.ts';

export type Passwords = { current_password: string; password: string };

/**
 * Checks of the two passwords that need no server, with its messages. Only the server knows whether the current one is
 * right and whether the new one is too common.
 * `checkPasswords({ current_password: 'old one', password: 'short' })` is `{ password: 'At least 8 characters.' }`
 */
export function checkPasswords({ current_password, password }: Passwords): Partial<Passwords> {
  const errors: Partial<Passwords> = {};
  if (current_password === '') errors.current_password = translate(isRequired(labels.password));
  if (password === '') errors.password = translate(isRequired(labels.password));
  else if (password.length < passwordMinLength) errors.password = t`At least ${passwordMinLength} characters.`;
  return errors;
}
