import { z } from 'zod';
import { endpoint, id, line, operatorRoles } from '../endpoint.ts';
import { operatorCode, otpCode, secondFactorRefusals } from '../fields.ts';
import { passkeyRequest } from './passkeys.ts';
import { deviceToken, existingPassword } from './sign-in.ts';

export const operatorAccount = z.strictObject({
  id,
  name: z.string(),
  email: z.string(),
  role: z.enum(operatorRoles),
});
/** Until it is set up, only its setup, `operator/me` and `operator/logout` are available. */
export const secondFactorSet = z.boolean();
/** What must be set up first: in live mode finance and admins need a passkey. Null when `second_factor` is set. */
export const missingFactor = z.enum(['any', 'passkey']).nullable();

export const operatorSignedIn = z.strictObject({
  access_token: z.string(),
  operator: operatorAccount,
  second_factor: secondFactorSet,
  missing: missingFactor,
  device_token: deviceToken,
});

export const operator = {
  operatorLogin: endpoint({
    method: 'POST',
    path: '/operator/login',
    access: 'public',
    summary: 'Sign in as an operator with email address and password',
    body: z.strictObject({ email: line(254), password: existingPassword }),
    data: z.union([
      operatorSignedIn,
      z.strictObject({
        otp_required: z.literal(true),
        challenge: z.string(),
        /** The factors that can answer it. */
        methods: z.array(z.enum(['app', 'passkey'])),
      }),
    ]),
    refusals: ['wrong_operator_login'],
  }),
  verifyOperatorOtp: endpoint({
    method: 'POST',
    path: '/operator/otp-verify',
    access: 'public',
    summary: 'Verify the authenticator code or passkey of an operator sign-in; 5 attempts',
    body: z.strictObject({ challenge: line(200), otp: operatorCode }),
    data: operatorSignedIn,
    refusals: ['wrong_second_factor', 'passkey_refused'],
  }),
  startOperatorPasskeySignIn: endpoint({
    method: 'POST',
    path: '/operator/passkey/start',
    access: 'public',
    summary: 'Get what a passkey signs for the second half of an operator sign-in',
    body: z.strictObject({ challenge: line(200) }),
    data: passkeyRequest,
    refusals: ['sign_in_expired', 'not_found', 'passkeys_unavailable'],
  }),
  startOperatorTotp: endpoint({
    method: 'POST',
    path: '/operator/totp/start',
    access: operatorRoles,
    beforeSecondFactor: true,
    summary: 'Start setting up two-factor authentication: returns the authenticator secret once',
    /** `otp` is required once the operator has a passkey. */
    body: z.strictObject({ password: existingPassword, otp: operatorCode.optional() }),
    data: z.strictObject({ secret: z.string(), uri: z.string() }),
    refusals: ['wrong_password', 'second_factor_on', 'second_factor_required', ...secondFactorRefusals],
  }),
  confirmOperatorTotp: endpoint({
    method: 'POST',
    path: '/operator/totp/confirm',
    access: operatorRoles,
    beforeSecondFactor: true,
    summary: 'Confirm two-factor authentication with a first code; ends all other sign-ins',
    body: z.strictObject({ otp: otpCode }),
    data: z.strictObject({ device_token: deviceToken }),
    refusals: ['wrong_second_factor', 'second_factor_on', 'second_factor_missing'],
  }),
};
