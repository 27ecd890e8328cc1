import { z } from 'zod';
import { endpoint, id, line, operatorRoles } from '../endpoint.ts';
import { otpCode } from '../fields.ts';
import { deviceToken, existingPassword } from './sign-in.ts';

export const operatorAccount = z.strictObject({
  id,
  name: z.string(),
  email: z.string(),
  role: z.enum(operatorRoles),
});
export const operatorSignedIn = z.strictObject({
  access_token: z.string(),
  operator: operatorAccount,
  /** Without it, only its setup, `operator/me` and `operator/logout` are available. */
  second_factor: z.boolean(),
  device_token: deviceToken,
});

export const operator = {
  operatorLogin: endpoint({
    method: 'POST',
    path: '/operator/login',
    access: 'public',
    summary: 'Sign in as an operator with email address and password',
    body: z.strictObject({ email: line(254), password: existingPassword }),
    data: z.union([operatorSignedIn, z.strictObject({ otp_required: z.literal(true), challenge: z.string() })]),
    refusals: ['wrong_login'],
  }),
  verifyOperatorOtp: endpoint({
    method: 'POST',
    path: '/operator/otp-verify',
    access: 'public',
    summary: 'Verify the authenticator code of an operator sign-in; 5 attempts',
    body: z.strictObject({ challenge: line(200), otp: otpCode }),
    data: operatorSignedIn,
    refusals: ['wrong_second_factor'],
  }),
  startOperatorTotp: endpoint({
    method: 'POST',
    path: '/operator/totp/start',
    access: operatorRoles,
    beforeSecondFactor: true,
    summary: 'Start setting up two-factor authentication: returns the authenticator secret once',
    body: z.strictObject({ password: existingPassword }),
    data: z.strictObject({ secret: z.string(), uri: z.string() }),
    refusals: ['wrong_password', 'second_factor_on'],
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
