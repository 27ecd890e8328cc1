import { z } from 'zod';
import { controlMessage, endpoint, hasNoControl, id, instant, line } from '../endpoint.ts';
import {
  emailAddress,
  memberFactorRefusals,
  mobileNumber,
  money,
  otpCode,
  personName,
  recoveryCode,
  secondFactor,
} from '../fields.ts';
import { payoutAddress } from '../funds/withdrawals.ts';
import { isRequired, labels, ownLimitRules, passwordMinLength } from '../rules.ts';
import { english } from '../texts.ts';
import { passkeyAnswer } from './passkeys.ts';

const { t } = english;

/** Login takes the id in any case, so it is normalised here once. */
const loginId = line(254, isRequired(labels.registeredId));
const referralCode = line(20, isRequired(labels.invitationId)).transform((code) => code.toUpperCase());
const password = (minLength: number, message: string) =>
  z
    .string(isRequired(labels.password))
    .min(1, { error: isRequired(labels.password), abort: true })
    .min(minLength, message)
    .max(200, t`At most 200 characters.`)
    .refine(hasNoControl, controlMessage);
export const existingPassword = password(1, isRequired(labels.password));
export const newPassword = password(passwordMinLength, t`At least ${passwordMinLength} characters.`);

/**
 * At least 128 random bits that the page makes which asks for a code, in base64url. The code then works only with it, and tries
 * without it do not count against that code.
 */
const requestToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22,100}$/, t`Not a token.`)
  .optional();

export const user = z.strictObject({
  id,
  referral_code: z.string(),
  name: z.string(),
  email: z.string(),
  mobile_number: z.string(),
  role: z.enum(['member', 'support', 'finance', 'admin']),
  created_at: instant,
});
export type User = z.output<typeof user>;

/** An operator who reads an account as its member, and until when. */
const openedBy = z.strictObject({ name: z.string(), until: instant });
export type OpenedBy = z.output<typeof openedBy>;

const ownLimit = z.strictObject({
  /** Dollars, in force now; null is no limit. */
  amount: money.nullable(),
  /** What follows on it, and from when on; null when nothing waits. */
  next: z.strictObject({ amount: money.nullable(), at: instant }).nullable(),
});
export type OwnLimit = z.output<typeof ownLimit>;

/** What a member may do at most, by their own word (docs/product.md, section 8). */
export const ownLimits = z.strictObject({
  /** Deposits in 7 days of real time. */
  deposit_week: ownLimit,
  /** Realised loss in one day of market time. */
  loss_day: ownLimit,
  paused_until: instant.nullable(),
});
export type OwnLimits = z.output<typeof ownLimits>;

const limitDollars = z
  .number(t`Enter a limit in numbers.`)
  .int(t`A limit is in whole dollars.`)
  .min(ownLimitRules.minDollars, t`A limit is at least ${ownLimitRules.minDollars}$.`)
  .max(ownLimitRules.maxDollars, t`The limit is too high.`);
/** Left out: stays as it is. Null: no limit any more. */
const newLimit = limitDollars.nullable().optional();
const pauseText = t`A pause is 1 to ${ownLimitRules.pauseMaxDays} days.`;
/** From now on. */
const pauseDays = z.number(pauseText).int(pauseText).min(1, pauseText).max(ownLimitRules.pauseMaxDays, pauseText);

/** What somebody else may decide about a member's limits: tighter ones only. */
export const tighterLimits = z.strictObject({
  deposit_week: limitDollars.optional(),
  loss_day: limitDollars.optional(),
  pause_days: pauseDays.optional(),
});

/**
 * For a browser that the account did not know, this once. Sent in the header `X-Device-Token` with sign-ins, codes and resets, it
 * gives them a count of wrong tries of their own (docs/product.md, section 8). It opens nothing.
 */
export const deviceToken = z.string().optional();

export const signedIn = z.strictObject({ access_token: z.string(), user, device_token: deviceToken });
const challenge = z.strictObject({
  otp_required: z.literal(true),
  challenge: z.string(),
  /** What it can be answered with besides a recovery code. */
  methods: z.array(z.enum(['app', 'passkey'])),
});

export const identity = {
  login: endpoint({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    summary:
      'Sign in with Registered Id and password; with two-factor authentication returns a challenge for otp-verify',
    body: z.strictObject({ loginId, password: existingPassword, remember: z.boolean().optional() }),
    data: z.union([signedIn, challenge]),
    refusals: ['wrong_login'],
  }),
  register: endpoint({
    method: 'POST',
    path: '/auth/register',
    access: 'public',
    summary: 'Sign up under an invitation',
    body: z.strictObject({
      referralCode,
      mobile_number: mobileNumber,
      name: personName,
      email: emailAddress,
      password: newPassword,
      terms: z.boolean().optional(),
    }),
    data: z.strictObject({ referral_code: z.string() }),
    refusals: ['invitation_refused', 'weak_password', 'country_blocked'],
  }),
  findSponsor: endpoint({
    method: 'GET',
    path: '/auth/get-refer',
    access: 'public',
    limitedLikeSignIn: true,
    summary: 'Name of the upline behind an invitation id',
    query: z.strictObject({ referralCode }),
    data: z.strictObject({ name: z.string() }),
    refusals: ['unknown_invitation'],
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/auth/forgot-password',
    access: 'public',
    summary: 'Email a password reset code; same reply whether the account exists or not',
    body: z.strictObject({ loginId, request_token: requestToken }),
    data: z.strictObject({ expires_at: instant, resend_at: instant }),
  }),
  verifyOtp: endpoint({
    method: 'POST',
    path: '/auth/otp-verify',
    access: 'public',
    summary: 'Verify the one-time code of a password reset or sign-in',
    body: z.discriminatedUnion('purpose', [
      z.strictObject({ purpose: z.literal('reset_password'), loginId, otp: otpCode, request_token: requestToken }),
      z
        .strictObject({
          purpose: z.literal('login'),
          challenge: line(200),
          /** Of the authenticator app; or, without it, one of the recovery codes, or what a passkey answers. */
          otp: otpCode.optional(),
          recovery_code: recoveryCode.optional(),
          passkey: passkeyAnswer.optional(),
        })
        .refine(
          (body) => [body.otp, body.recovery_code, body.passkey].filter((given) => given !== undefined).length === 1,
          {
            error: t`Enter the code.`,
            path: ['otp'],
          },
        ),
    ]),
    data: z.union([z.strictObject({ reset_token: z.string() }), signedIn]),
    refusals: ['wrong_otp', 'wrong_second_factor', 'passkey_refused', 'sign_in_expired'],
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/auth/reset-password',
    access: 'public',
    summary: 'Set a new password with the token of a verified code; signs out all sessions',
    body: z.strictObject({ reset_token: line(200), password: newPassword }),
    data: z.strictObject({ referral_code: z.string(), device_token: z.string() }),
    refusals: ['wrong_reset_token', 'weak_password'],
  }),
  adoptSignIn: endpoint({
    method: 'POST',
    path: '/auth/adopt',
    access: 'member',
    summary:
      'Take over a token from an address: says whose it is. Calls that bring something of a person into the account answer `confirm_identity` until this browser confirms',
    data: z.strictObject({
      user,
      opened_by: openedBy.nullable(),
      /** What `confirm-identity` takes, told this once; null for support access, which is read-only. */
      confirmation: z.string().nullable(),
    }),
    opened: 'allowed',
  }),
  confirmIdentity: endpoint({
    method: 'POST',
    path: '/auth/confirm-identity',
    access: 'member',
    summary: 'Confirm that the account of a token from an address is your own, with the confirmation of this browser',
    body: z.strictObject({ confirmation: line(200) }),
    /** `confirm_identity`: another browser took the same token and has not confirmed. */
    data: z.strictObject({ confirm_identity: z.boolean() }),
    refusals: ['wrong_confirmation'],
  }),
  logout: endpoint({
    method: 'POST',
    path: '/auth/logout',
    access: 'member',
    summary: 'Sign out',
    opened: 'allowed',
  }),
  me: endpoint({
    method: 'GET',
    path: '/auth/me',
    access: 'member',
    summary: 'Get the signed-in member',
    data: z.strictObject({
      user,
      sponsor: z.string().nullable(),
      frozen: z.boolean(),
      second_factor: z.boolean(),
      limits: ownLimits,
      /** Where withdrawals go to; null before one was saved. */
      address: payoutAddress.nullable(),
      /** Null unless an operator opened the account and reads it by this sign-in. */
      opened_by: openedBy.nullable(),
      /** The token came with an address, and whose account it is has not been confirmed. */
      confirm_identity: z.boolean(),
    }),
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/auth/password',
    access: 'member',
    confirmsIdentity: true,
    summary: 'Change the password; signs out all other sessions',
    body: z.strictObject({
      current_password: existingPassword,
      password: newPassword,
      second_factor: secondFactor.optional(),
    }),
    refusals: ['wrong_password', 'weak_password', ...memberFactorRefusals],
  }),
  setLimits: endpoint({
    method: 'PUT',
    path: '/auth/limits',
    access: 'member',
    summary:
      'Set self-imposed deposit and loss limits or a pause; stricter limits apply immediately, relaxed limits after 24 hours',
    body: z.strictObject({
      deposit_week: newLimit,
      loss_day: newLimit,
      pause_days: pauseDays.optional(),
    }),
    data: ownLimits,
    refusals: ['pause_shortened'],
  }),
};
