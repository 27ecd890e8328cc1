import type { Tx } from '#server/db/connect.ts';
import { lockWithdrawal, type WithdrawalRow } from '../withdrawals/withdrawal-sql.ts';

/** Locks a withdrawal when it is still as it was read before the gateway was asked; undefined when something changed it. */
export async function lockUnchanged(tx: Tx, seen: WithdrawalRow): Promise<WithdrawalRow | undefined> {
  const withdrawal = await lockWithdrawal(tx, seen.id);
  return withdrawal?.version === seen.version ? withdrawal : undefined;
}
