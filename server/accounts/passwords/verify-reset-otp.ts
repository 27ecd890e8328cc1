import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { spendOtp } from '../codes/one-time-password.ts';
import { readLoginId } from '../core/login-id.ts';
import { listMembersByLogin } from '../members/member-sql.ts';
import { hashToken, makeToken } from '../secrets.ts';
import { findWait, forgetAttempts } from '../sign-in/attempts.ts';
import { insertResetToken } from './reset-sql.ts';

const TOKEN_LIFE_MS = 15 * 60_000;

type Input = { readonly loginId: string; readonly otp: string; readonly address: string };
type Outcome = { readonly token: string } | { readonly retryAfterSeconds: number } | undefined;

/**
 * Trades a mailed code for a token that sets a new password once, within 15 minutes. By mail address the code of any
 * of its accounts is taken, and counts for that account only. Tries are counted and then refused, never rolled back.
 * Refusals: `wrong_otp` whatever was wrong, `too_many_requests`.
 */
export async function verifyResetOtp(context: Context, input: Input): Promise<string> {
  const outcome = await inTransaction(context.db, (tx) => tryCode(context, tx, input));
  if (outcome === undefined) throw new Refused('wrong_otp');
  if ('retryAfterSeconds' in outcome) throw new Refused('too_many_requests', outcome);
  return outcome.token;
}

async function tryCode(context: Context, tx: Tx, input: Input): Promise<Outcome> {
  const now = context.now();
  const login = readLoginId(input.loginId);
  const retryAfterSeconds = await findWait(tx, 'reset_otp', login.value, now);
  if (retryAfterSeconds !== undefined) return { retryAfterSeconds };
  const memberIds = (await listMembersByLogin(tx, login)).map((member) => member.id);
  const memberId = await spendOtp(tx, { memberIds, purpose: 'reset_password', details: '', otp: input.otp, now });
  if (memberId === undefined) return undefined;
  const token = makeToken();
  const expiresAt = new Date(now.getTime() + TOKEN_LIFE_MS);
  await insertResetToken(tx, { tokenHash: hashToken(token), memberId, expiresAt });
  await forgetAttempts(tx, 'reset_otp', login.value);
  await writeAudit(tx, {
    actor: { kind: 'member', id: memberId },
    action: 'member.verify_reset_code',
    subject: `member:${memberId}`,
    address: input.address,
  });
  return { token };
}
