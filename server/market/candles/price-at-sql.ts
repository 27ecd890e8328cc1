import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/** The close of an asset's last candle of one step that had ended by an instant; `price` is decimal text. */
export type PriceAt = { readonly at: Date; readonly symbol: string; readonly price: string };

/** One look at the end of an index range for each asset and instant. Assets without an ended candle are left out. */
export async function listClosesAt(db: Db, stepSeconds: number, instants: readonly Date[]): Promise<PriceAt[]> {
  const { rows } = await sql<PriceAt>`
    select i.at, a.symbol, c.close::text as price
    from unnest(${instants.map((instant) => instant.toISOString())}::timestamptz[]) as i(at)
    cross join (select id, symbol from market.asset order by id limit 16) as a
    cross join lateral (
      select close from market.candle
      where asset_id = a.id and step_seconds = ${stepSeconds} and at <= i.at - make_interval(secs => ${stepSeconds})
      order by at desc limit 1) as c
    order by i.at, a.id`.execute(db);
  return rows;
}
