import assert from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { memberClassNames } from '../core/account.ts';
import { lockAccountRows } from './lock-balances-sql.ts';

/**
 * Whether all of a member's accounts are empty, held until the transaction ends: whoever moves money of this member waits
 * for it, and what they moved before is seen here.
 */
export async function holdEmptyAccounts(tx: Tx, memberId: bigint): Promise<boolean> {
  assert(tx.isTransaction, 'a lock lives as long as its transaction');
  const rows = await lockAccountRows(tx, memberId);
  assert.equal(rows.length, memberClassNames.length, `member ${memberId} has no ledger accounts`);
  return rows.every(({ balance }) => balance === 0n);
}
