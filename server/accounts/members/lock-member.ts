import assert from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { lockForSignIn, lockWithdrawerRow, type WithdrawerRow } from './member-sql.ts';

export type Withdrawer = WithdrawerRow;

/**
 * What decides whether a member's money may go out, held until the transaction ends: a freeze, a withdrawn verification
 * or a change of password waits for it, or is seen by it. Withdrawals of one member do not wait for each other here.
 */
export async function lockWithdrawer(tx: Tx, memberId: bigint): Promise<Withdrawer> {
  assert(tx.isTransaction, 'a lock lives as long as its transaction');
  const row = await lockWithdrawerRow(tx, memberId);
  assert(row !== undefined, 'only members withdraw');
  return row;
}

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
