import { isRequired, labels, passwordMinLength } from '#contract/rules.ts';
import { t, translate } from '../../api/texts.ts';

export type Passwords = { current_password: string; password: string };

/**
 * What can be said about the two passwords before the server is asked, in its words. Whether the current one is right
 * and the new one too common, only the server knows.
 * `checkPasswords({ current_password: 'old one', password: 'short' })` is `{ password: 'At least 8 characters.' }`
 */
export function checkPasswords({ current_password, password }: Passwords): Partial<Passwords> {
  const faults: Partial<Passwords> = {};
  if (current_password === '') faults.current_password = translate(isRequired(labels.password));
  if (password === '') faults.password = translate(isRequired(labels.password));
  else if (password.length < passwordMinLength) faults.password = t`At least ${passwordMinLength} characters.`;
  return faults;
}
