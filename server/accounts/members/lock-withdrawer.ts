import assert from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { lockWithdrawerRow, type WithdrawerRow } from './member-sql.ts';

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
