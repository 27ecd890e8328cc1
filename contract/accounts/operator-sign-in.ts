import { z } from 'zod';
import { endpoint, id, line, operatorRoles } from '../endpoint.ts';
import { otpCode } from '../funds/withdrawals.ts';
import { existingPassword } from './sign-in.ts';

export const operatorAccount = z.strictObject({
  id,
  name: z.string(),
  email: z.string(),
  role: z.enum(operatorRoles),
});
export const operatorSignedIn = z.strictObject({
  access_token: z.string(),
  operator: operatorAccount,
  /** Without one, only its set-up, `operator/me` and `operator/logout` answer. */
  second_factor: z.boolean(),
});

export const operator = {
  operatorLogin: endpoint({
    method: 'POST',
    path: '/operator/login',
    access: 'public',
    summary: 'Operators sign in by mail address; their accounts have no wallets',
    body: z.strictObject({ email: line(254), password: existingPassword }),
    data: z.union([operatorSignedIn, z.strictObject({ otp_required: z.literal(true), challenge: z.string() })]),
    refusals: ['wrong_login'],
  }),
  verifyOperatorOtp: endpoint({
    method: 'POST',
    path: '/operator/otp-verify',
    access: 'public',
    summary: 'Second half of a sign-in: the code of the authenticator app; 5 tries a sign-in',
    body: z.strictObject({ challenge: line(200), otp: otpCode }),
    data: operatorSignedIn,
    refusals: ['wrong_second_factor'],
  }),
  startOperatorTotp: endpoint({
    method: 'POST',
    path: '/operator/totp/start',
    access: operatorRoles,
    beforeSecondFactor: true,
    summary: 'Begin to set up the second factor: the secret for an authenticator app, once',
    body: z.strictObject({ password: existingPassword }),
    data: z.strictObject({ secret: z.string(), uri: z.string() }),
    refusals: ['wrong_password', 'second_factor_on'],
  }),
  confirmOperatorTotp: endpoint({
    method: 'POST',
    path: '/operator/totp/confirm',
    access: operatorRoles,
    beforeSecondFactor: true,
    summary: 'Finish it with a first code of the app; all other sign-ins end',
    body: z.strictObject({ otp: otpCode }),
    data: z.null(),
    refusals: ['wrong_second_factor', 'second_factor_on', 'second_factor_missing'],
  }),
};
