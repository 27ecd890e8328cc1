import type { Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';
import { getHouseBalances, post, type Reversal, reverse, type Transfer } from '#server/ledger/index.ts';
import { Refused } from '#server/refused.ts';
import type { HouseMoney } from '../core/house-cover.ts';

/**
 * Posts or reverses a transfer of house money approved by two operators, if it is covered. An advisory lock serializes such
 * transfers until commit, so that a surplus is not spent twice. Refuses `not_covered`.
 *
 * @returns the id of the transfer
 */
export async function postCovered(
  tx: Tx,
  transfer: Transfer | Reversal,
  isCovered: (house: HouseMoney) => boolean,
): Promise<bigint> {
  await execute(tx)`select pg_advisory_xact_lock(hashtextextended('operator.house_money', 0))`;
  if (!isCovered(await getHouseBalances(tx))) throw new Refused('not_covered');
  const [posted] = 'transferId' in transfer ? [await reverse(tx, transfer)] : await post(tx, [transfer]);
  return (posted as { id: bigint }).id;
}
