import assert from 'node:assert';
import type { MemberCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, getValue } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { hashToken, makeToken } from '#server/random-text.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { describeDevice } from '../core/device.ts';
import { auditOwn } from '../owner.ts';
import { evictCallers } from './find-caller.ts';

/**
 * Records that a browser signed in with the token in a URL (docs/product.md, section 8). The URL may come from someone
 * who wants another person's money or details in their own account, so calls with `confirmsIdentity` are refused until
 * this browser has confirmed that the account is its own. Each browser is a row: the sender, who also has the token,
 * cannot confirm for another browser.
 *
 * Refuses `session_required` if the sign-in has ended meanwhile.
 *
 * @returns the secret for `confirmIdentity`, stored only as a hash; null for support access, which is read-only anyway
 */
export async function adoptSignIn(
  context: Context,
  caller: MemberCaller,
  { userAgent, address }: { readonly userAgent: string; readonly address: string },
): Promise<string | null> {
  if (caller.opening !== undefined) return null;
  const confirmation = makeToken();
  const now = context.now();
  const tokenHash = await inTransaction(context.db, async (tx) => {
    const session = await lockSession(tx, caller, now);
    await execute(tx)`
      insert into identity.adopted_sign_in (auth_session_id, secret_hash, adopted_at)
      values (${caller.authSessionId}, ${hashToken(confirmation)}, ${now})`;
    await auditOwn(tx, caller, 'member.adopt_sign_in', { after: { device: describeDevice(userAgent) }, address });
    return session;
  });
  evictCallers(context, [tokenHash]);
  return confirmation;
}

/**
 * Confirms that the account belongs to the person at this browser. Idempotent. Refuses `wrong_confirmation` for a
 * secret that was not issued for this sign-in, `session_required` if it has ended meanwhile.
 *
 * @returns whether the sign-in is fully confirmed: not while another browser that adopted it has not confirmed
 */
export async function confirmIdentity(
  context: Context,
  caller: MemberCaller,
  { confirmation, address }: { readonly confirmation: string; readonly address: string },
): Promise<boolean> {
  const now = context.now();
  const { tokenHash, isConfirmed } = await inTransaction(context.db, async (tx) => {
    const session = await lockSession(tx, caller, now);
    const adopted = await findRow(tx)<{ id: bigint; confirmedAt: Date | null }>`
      select id, confirmed_at as "confirmedAt" from identity.adopted_sign_in
      where auth_session_id = ${caller.authSessionId} and secret_hash = ${hashToken(confirmation)}`;
    if (adopted === undefined) throw new Refused('wrong_confirmation');
    if (adopted.confirmedAt === null) {
      await execute(tx)`update identity.adopted_sign_in set confirmed_at = ${now} where id = ${adopted.id}`;
      await auditOwn(tx, caller, 'member.confirm_identity', { address });
    }
    const isFree = await getValue(tx)<boolean>`
      select not exists (
        select from identity.adopted_sign_in where auth_session_id = ${caller.authSessionId} and confirmed_at is null
      ) as "isFree"`;
    return { tokenHash: session, isConfirmed: isFree };
  });
  evictCallers(context, [tokenHash]);
  return isConfirmed;
}

/** Locks the sign-in until the transaction ends, which serializes its confirmations, and returns its token hash. */
async function lockSession(tx: Tx, { authSessionId }: MemberCaller, now: Date): Promise<Buffer> {
  assert(tx.isTransaction, 'a lock needs a transaction');
  const tokenHash = await findValue(tx)<Buffer>`
    select token_hash from identity.auth_session
    where id = ${authSessionId} and expires_at > ${now} for no key update`;
  return orRefuse(tokenHash, 'session_required');
}
