import { z } from 'zod';
import { endpoint, id, instant, nothing } from '../endpoint.ts';
import { otpCode } from '../funds/withdrawals.ts';
import { emailAddress, mobileNumber, personName } from './person.ts';
import { existingPassword, user } from './sign-in.ts';

/** How well an account is protected. */
export const security = z.strictObject({
  /** An authenticator app is set up: the password alone opens nothing. */
  second_factor: z.boolean(),
  /** Of ten; 0 without a second factor. */
  recovery_codes_left: z.number().int(),
  email_verified: z.boolean(),
  /** Null: still the password of the registration. */
  password_changed_at: instant.nullable(),
});
export type Security = z.output<typeof security>;

/** Shown this once; only their hashes are kept. */
const recoveryCodes = z.strictObject({ recovery_codes: z.array(z.string()) });

/** A sign-in of the member, as they recognise it. */
export const authSession = z.strictObject({
  id,
  /** `Firefox on Windows` */
  device: z.string(),
  /** Network address it was made from. */
  address: z.string(),
  created_at: instant,
  /** Exact to a minute. */
  last_used_at: instant,
  /** Without further use. */
  expires_at: instant,
  /** The one this call came with. */
  current: z.boolean(),
});
export type AuthSession = z.output<typeof authSession>;

/** A time an operator opened the account to help. */
export const opening = z.strictObject({
  id,
  /** The operator's name. */
  name: z.string(),
  reason: z.string(),
  opened_at: instant,
  /** Null while it is open. */
  ended_at: instant.nullable(),
  /** At the latest. */
  expires_at: instant,
});
export type Opening = z.output<typeof opening>;

export const account = {
  getSecurity: endpoint({
    method: 'GET',
    path: '/auth/security',
    access: 'member',
    summary: 'Second factor, recovery codes, mail address and password of the own account',
    data: security,
    refusals: [],
  }),
  startTotp: endpoint({
    method: 'POST',
    path: '/auth/totp/start',
    access: 'member',
    summary: 'Begin to set up the second factor: the secret for an authenticator app, once',
    body: z.strictObject({ password: existingPassword }),
    data: z.strictObject({ secret: z.string(), uri: z.string() }),
    refusals: ['wrong_password', 'second_factor_on'],
  }),
  confirmTotp: endpoint({
    method: 'POST',
    path: '/auth/totp/confirm',
    access: 'member',
    summary: 'Finish it with a first code of the app; answers ten recovery codes, all other sign-ins end',
    body: z.strictObject({ otp: otpCode }),
    data: recoveryCodes,
    refusals: ['wrong_second_factor', 'second_factor_on', 'second_factor_missing'],
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/auth/totp/recovery-codes',
    access: 'member',
    summary: 'Ten new recovery codes in place of the old ones; all other sign-ins end',
    body: z.strictObject({ password: existingPassword, otp: otpCode }),
    data: recoveryCodes,
    refusals: ['wrong_password', 'wrong_second_factor', 'second_factor_missing'],
  }),
  disableTotp: endpoint({
    method: 'POST',
    path: '/auth/totp/disable',
    access: 'member',
    summary: 'Turn the second factor off; all other sign-ins end',
    body: z.strictObject({ password: existingPassword, otp: otpCode }),
    data: nothing,
    refusals: ['wrong_password', 'wrong_second_factor', 'second_factor_missing'],
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/auth/sessions',
    access: 'member',
    summary: 'Own sign-ins, last used first; the 100 newest',
    data: z.array(authSession),
    refusals: [],
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    access: 'member',
    summary: 'End one of the own sign-ins',
    params: z.strictObject({ id }),
    data: nothing,
    refusals: ['not_found'],
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/auth/sessions',
    access: 'member',
    summary: 'End all own sign-ins but this one',
    data: z.strictObject({ ended: z.number().int() }),
    refusals: [],
  }),
  listOpenings: endpoint({
    method: 'GET',
    path: '/profile/openings',
    access: 'member',
    summary: 'When operators opened the account, newest first; the 100 newest',
    data: z.array(opening),
    refusals: [],
  }),
  exportData: endpoint({
    method: 'GET',
    path: '/profile/export',
    access: 'member',
    summary: 'Everything held on the member, as one JSON file; by a sign-in of the last 15 minutes, three times a day',
    data: nothing,
    file: 'application/octet-stream',
    refusals: ['fresh_sign_in_required', 'too_many_exports'],
    opened: 'refused',
  }),
  closeAccount: endpoint({
    method: 'POST',
    path: '/profile/close',
    access: 'member',
    summary: 'Close the account for good: personal data is blanked, ledger and sponsor link stay',
    body: z.strictObject({
      password: existingPassword,
      /** Of the authenticator app, when one is set up. */
      otp: otpCode.optional(),
    }),
    data: nothing,
    refusals: [
      'account_frozen',
      'wrong_password',
      'wrong_second_factor',
      'closing_balance',
      'closing_plans',
      'closing_trades',
      'closing_withdrawals',
      'closing_deposits',
      'closing_incomes',
    ],
  }),
  changeEmail: endpoint({
    method: 'PUT',
    path: '/auth/email',
    access: 'member',
    summary: 'Verify the mail address, or change it to a verified one, with the code that was mailed there',
    body: z.strictObject({ email: emailAddress, otp: otpCode, password: existingPassword }),
    data: user,
    refusals: ['account_frozen', 'wrong_password', 'wrong_otp'],
  }),
  updateProfile: endpoint({
    method: 'PUT',
    path: '/auth/profile',
    access: 'member',
    summary: 'Change name and mobile number',
    body: z.strictObject({ name: personName, mobile_number: mobileNumber }),
    data: user,
    refusals: ['account_frozen', 'country_blocked'],
  }),
};
