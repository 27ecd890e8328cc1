import type { Db } from '#server/db/connect.ts';
import { getHouseBalances, sumFlows } from '#server/ledger/index.ts';
import { type BalanceSheet, balanceSheet } from './core/solvency.ts';

/**
 * Assets, liabilities and surplus as of one moment: `db` is a snapshot (`inSnapshot`), or the two records that are
 * compared here could be of different moments.
 */
export async function getBalanceSheet(db: Db): Promise<BalanceSheet> {
  return balanceSheet(await getHouseBalances(db), await sumFlows(db));
}
