import assert from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { lockForSignIn } from './member-sql.ts';

/**
 * Whether a member's account can take money that comes from outside, held until the transaction ends: closing it waits for
 * the money, or is seen by it. A closed account never holds anything again.
 */
export async function lockReceiver(tx: Tx, memberId: bigint): Promise<{ readonly isClosed: boolean }> {
  assert(tx.isTransaction, 'a lock lives as long as its transaction');
  const member = await lockForSignIn(tx, memberId);
  assert(member !== undefined, 'only members receive money');
  return { isClosed: member.closedAt !== null };
}
