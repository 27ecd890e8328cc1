import type { Tx } from '#server/db/connect.ts';
import { getRow } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';

/**
 * Refuses to close an account (docs/product.md, section 8): `closing_plans` until every plan is redeemed,
 * `closing_trades` while a trade is queued or open. A trade placed concurrently debits a wallet, which closing has
 * locked.
 */
export async function refuseUnfinished(tx: Tx, memberId: bigint): Promise<void> {
  const { hasTrade, hasPlan } = await getRow(tx)<{ readonly hasTrade: boolean; readonly hasPlan: boolean }>`
    select exists (select from trading.trade where member_id = ${memberId} and state in ('queued', 'open')) as "hasTrade",
           exists (select from trading.plan where member_id = ${memberId} and state <> 'redeemed') as "hasPlan"`;
  if (hasPlan) throw new Refused('closing_plans');
  if (hasTrade) throw new Refused('closing_trades');
}
