import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/**
 * One hash for each kind of data that the market stores about the coins of the specification, the same on both
 * engines. Two markets with the same fingerprint have the same candles, ticks, marks and time, row for row.
 */
export async function fingerprint(db: Db): Promise<{ candles: string; ticks: string; marks: string; at: Date }> {
  const { rows } = await sql<{ candles: string; ticks: string; marks: string; at: Date }>`
    select
      (select md5(string_agg(concat_ws(',', asset_id, step_seconds, extract(epoch from at), open, high, low, close, volume), ';'
        order by asset_id, step_seconds, at)) from market.candle where asset_id <= 16) as candles,
      (select md5(string_agg(concat_ws(',', asset_id, extract(epoch from at), price), ';' order by asset_id, at))
        from market.tick where asset_id <= 16) as ticks,
      (select md5(string_agg(concat_ws(',', asset_id, extract(epoch from at), price, doubted, extract(epoch from forming_at),
        forming_open, forming_high, forming_low, forming_close), ';' order by asset_id)) from market.mark where asset_id <= 16) as marks,
      (select at from market.clock) as at`.execute(db);
  return rows[0] as { candles: string; ticks: string; marks: string; at: Date };
}

/** Number of candles by step. */
export async function countCandles(db: Db): Promise<Record<number, number>> {
  const { rows } = await sql<{ step: number; count: number }>`
    select step_seconds as step, count(*)::int as count from market.candle group by step_seconds`.execute(db);
  return Object.fromEntries(rows.map((row) => [row.step, row.count]));
}

/** Resets the market, which is faster than another database. */
export async function emptyMarket(db: Db): Promise<void> {
  await sql`truncate market.clock, market.candle, market.tick, market.mark`.execute(db);
  await sql`delete from market.asset`.execute(db);
}
