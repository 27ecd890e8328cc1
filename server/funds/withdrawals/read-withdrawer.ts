import { lockWithdrawer, type Withdrawer } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';

/** What decides about a member's withdrawals, as of now: for what is only shown, or looked at again under the lock. */
export const readWithdrawer = (db: Db, memberId: bigint): Promise<Withdrawer> =>
  inTransaction(db, (tx) => lockWithdrawer(tx, memberId));
