import type { Db, Tx } from '#server/db/connect.ts';
import { KeptAnswers } from './kept-answers.ts';
import { type AssetSums, listAssetSums } from './portfolio-sql.ts';

const MEMBERS_KEPT = 2000;
const kept = new KeptAnswers<bigint, { readonly trades: bigint; readonly sums: AssetSums[] }>(MEMBERS_KEPT);

/**
 * Sums of a member's settled trades by asset. They are made of trades that never change, so as long as there are as many of
 * them as before they are what they were: they are read anew only after another trade of the member has settled.
 *
 * @param db the database of the transaction
 * @param trades how many settled trades the member has, by the sums kept for each session
 */
export async function readAssetSums(db: Db, tx: Tx, memberId: bigint, trades: bigint): Promise<AssetSums[]> {
  const known = kept.find(db, memberId);
  if (known?.trades === trades) return known.sums;
  const sums = await listAssetSums(tx, memberId);
  kept.keep(db, memberId, { trades, sums });
  return sums;
}
