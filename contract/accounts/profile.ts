import { z } from 'zod';
import { endpoint, id, instant } from '../endpoint.ts';
import {
  emailAddress,
  memberFactorRefusals,
  mobileNumber,
  moneyAmount,
  one,
  otpCode,
  personName,
  secondFactor,
} from '../fields.ts';
import { existingPassword, user } from './sign-in.ts';

/** Security status of an account. */
export const security = z.strictObject({
  /** An authenticator app or a passkey is set up: the password alone is not enough to sign in. */
  second_factor: z.boolean(),
  app: z.boolean(),
  passkeys: z.number().int(),
  /** Out of ten; 0 without a second factor. */
  recovery_codes_left: z.number().int(),
  email_verified: z.boolean(),
  /** Null: still the password chosen at registration. */
  password_changed_at: instant.nullable(),
  /** An email change requested without access to the old mailbox; `due_at` is null until two operators approve. */
  email_request: z.strictObject({ email: z.string(), requested_at: instant, due_at: instant.nullable() }).nullable(),
  /** When two-factor authentication is turned off unless it is used before: two operators agreed that it is lost. */
  second_factor_ends_at: instant.nullable(),
});
export type Security = z.output<typeof security>;

/** Shown only once; only their hashes are stored. */
const recoveryCodes = z.strictObject({ recovery_codes: z.array(z.string()) });
/** Issued with the first second factor; null for a member who already has codes. */
export const firstRecoveryCodes = z.strictObject({ recovery_codes: z.array(z.string()).nullable() });

/** `second_factor` is required once set up, and named by refusals; `otp`, an app code, is the older form of it. */
const confirmation = { password: existingPassword, otp: otpCode.optional(), second_factor: secondFactor.optional() };

/** The first app or passkey takes `otp`, the code emailed for `second_factor`; a further one `second_factor`. */
export const factorStart = confirmation;

/** A sign-in, described so that the member recognises it. */
export const authSession = z.strictObject({
  id,
  /** `Firefox on Windows` */
  device: z.string(),
  /** The IP address it was made from. */
  address: z.string(),
  created_at: instant,
  /** To the minute. */
  last_used_at: instant,
  /** If it is not used again. */
  expires_at: instant,
  /** Whether it is the sign-in of this call. */
  current: z.boolean(),
});
export type AuthSession = z.output<typeof authSession>;

/** One support access of an operator to the account. */
export const opening = z.strictObject({
  id,
  /** The operator's name. */
  name: z.string(),
  reason: z.string(),
  opened_at: instant,
  /** Null while it is open. */
  ended_at: instant.nullable(),
  /** Latest possible end. */
  expires_at: instant,
});
export type Opening = z.output<typeof opening>;

export const account = {
  getSecurity: endpoint({
    method: 'GET',
    path: '/auth/security',
    access: 'member',
    summary:
      'Get account security: two-factor authentication and its approved end, passkeys, recovery codes, email verification, password age',
    data: security,
  }),
  startTotp: endpoint({
    method: 'POST',
    path: '/auth/totp/start',
    access: 'member',
    confirmsIdentity: true,
    summary: 'Start setting up an authenticator app: returns its secret once',
    body: z.strictObject(factorStart),
    data: z.strictObject({ secret: z.string(), uri: z.string() }),
    refusals: ['wrong_password', 'wrong_otp', 'second_factor_on', ...memberFactorRefusals],
  }),
  confirmTotp: endpoint({
    method: 'POST',
    path: '/auth/totp/confirm',
    access: 'member',
    confirmsIdentity: true,
    summary:
      'Confirm the authenticator app with a first code; returns ten recovery codes unless there are some; signs out other sessions',
    body: z.strictObject({ otp: otpCode }),
    data: firstRecoveryCodes,
    refusals: ['wrong_second_factor', 'second_factor_on', 'second_factor_missing'],
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/auth/totp/recovery-codes',
    access: 'member',
    confirmsIdentity: true,
    summary: 'Replace all recovery codes; signs out other sessions',
    body: z.strictObject(confirmation),
    data: recoveryCodes,
    refusals: ['wrong_password', 'second_factor_missing', ...memberFactorRefusals],
  }),
  disableTotp: endpoint({
    method: 'POST',
    path: '/auth/totp/disable',
    access: 'member',
    confirmsIdentity: true,
    summary: 'Turn off two-factor authentication; signs out other sessions',
    body: z.strictObject(confirmation),
    refusals: ['wrong_password', 'second_factor_missing', ...memberFactorRefusals],
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/auth/sessions',
    access: 'member',
    summary: 'List your sessions, last used first; at most 100',
    data: z.array(authSession),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    access: 'member',
    summary: 'Sign out one of your sessions',
    params: one,
    refusals: ['not_found'],
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/auth/sessions',
    access: 'member',
    summary: 'Sign out all your other sessions',
    data: z.strictObject({ ended: z.number().int() }),
  }),
  listOpenings: endpoint({
    method: 'GET',
    path: '/profile/openings',
    access: 'member',
    summary: 'List support access to your account, newest first; at most 100',
    data: z.array(opening),
  }),
  exportData: endpoint({
    method: 'GET',
    path: '/profile/export',
    access: 'member',
    summary: 'Export all data of the member as a JSON file; needs a sign-in within 15 minutes, three times a day',
    file: 'application/octet-stream',
    refusals: ['fresh_sign_in_required', 'too_many_exports'],
  }),
  closeAccount: endpoint({
    method: 'POST',
    path: '/profile/close',
    access: 'member',
    confirmsIdentity: true,
    summary: 'Close the account permanently: personal data is deleted, ledger and sponsor link stay',
    body: z.strictObject({
      ...confirmation,
      /** What both wallets hold together; required where that is above zero. Each must hold less than can be withdrawn. */
      forfeit: moneyAmount.optional(),
    }),
    refusals: [
      'account_frozen',
      'wrong_password',
      ...memberFactorRefusals,
      'closing_balance',
      'closing_remainder',
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
    confirmsIdentity: true,
    summary:
      'Verify the email address with the code sent to it, or change it with a second code sent to the old address',
    body: z.strictObject({
      email: emailAddress,
      otp: otpCode,
      /** The code sent to the current address; omitted when that address is only being verified. */
      old_otp: otpCode.optional(),
      password: existingPassword,
      second_factor: secondFactor.optional(),
    }),
    data: user,
    refusals: ['account_frozen', 'wrong_password', 'wrong_otp', ...memberFactorRefusals],
  }),
  requestEmailChange: endpoint({
    method: 'POST',
    path: '/auth/email-request',
    access: 'member',
    summary:
      'Request an email change without the old mailbox: two operators and 7 days; withdrawals are stopped until it is done or withdrawn',
    body: z.strictObject({
      email: emailAddress,
      otp: otpCode,
      password: existingPassword,
      second_factor: secondFactor.optional(),
    }),
    confirmsIdentity: true,
    refusals: ['account_frozen', 'email_request_waiting', 'wrong_password', 'wrong_otp', ...memberFactorRefusals],
  }),
  withdrawEmailRequest: endpoint({
    method: 'DELETE',
    path: '/auth/email-request',
    access: 'member',
    summary: 'Withdraw the requested email change',
    refusals: ['not_found'],
  }),
  updateProfile: endpoint({
    method: 'PUT',
    path: '/auth/profile',
    access: 'member',
    confirmsIdentity: true,
    summary: 'Change name and mobile number',
    body: z.strictObject({ name: personName, mobile_number: mobileNumber }),
    data: user,
    refusals: ['account_frozen', 'country_blocked'],
  }),
};
