import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/** What all members' trades of one asset come to. */
export type AssetPositions = {
  readonly symbol: string;
  readonly open: number;
  /** Coins of the open ones, decimal text. */
  readonly quantity: string;
  readonly queued: number;
  /** What was placed with the queued ones. */
  readonly queuedAmount: bigint;
};

/** Assets with trades that are open or queued. Two parts, because each has an index of its own. */
export async function listAssetPositions(db: Db): Promise<AssetPositions[]> {
  const { rows } = await sql<AssetPositions>`
    select symbol, sum(open)::int as open, sum(quantity)::text as quantity, sum(queued)::int as queued,
      sum(queued_amount)::bigint as "queuedAmount"
    from (
      select symbol, count(*) as open, sum(round((amount - fee)::numeric / (open_price * 1000000), 12)) as quantity,
        0 as queued, 0 as queued_amount
      from trading.trade where state = 'open' group by symbol
      union all
      select symbol, 0, 0, count(*), sum(amount) from trading.trade where state = 'queued' group by symbol) as part
    group by symbol order by symbol`.execute(db);
  return rows;
}
