import { otpRules } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import { readLoginId } from '../core/login-id.ts';
import { hashToken } from '../secrets.ts';
import { upsertResetRequest } from './reset-sql.ts';

/**
 * *Forgot Password*, first half: writes down what was typed, and nothing else. The account is looked up by a job
 * afterwards (answer-reset-requests.ts), so neither reply nor timing can tell whether there is one. Repeated within a
 * minute it tells the times of the first request.
 */
export async function requestReset(
  context: Context,
  input: { readonly loginId: string; readonly address: string },
): Promise<{ expiresAt: Date; resendAt: Date }> {
  const now = context.now();
  const login = readLoginId(input.loginId).value;
  return upsertResetRequest(context.db, {
    loginHash: hashToken(login),
    loginId: login,
    address: input.address,
    now,
    resendAt: new Date(now.getTime() + otpRules.resendSeconds * 1000),
    expiresAt: new Date(now.getTime() + otpRules.ttlMinutes * 60_000),
  });
}
