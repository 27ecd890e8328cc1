import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { Tick } from './core/fills.ts';
import type { High } from './core/high-water.ts';

/**
 * Compares ticks, in time order, with the stops of everything that is open: what is crossed asks to be closed, and is sold
 * at the first tick after that one. Goes on until something was crossed.
 *
 * @returns the instant up to which everything is followed
 */
export async function followTicks(db: Db, day: string, ticks: readonly Tick[]): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`
    select trading.follow_ticks(${day}::date, ${ticks.map((tick) => tick.at.toISOString())}::timestamptz[],
      ${ticks.map((tick) => tick.symbol)}::text[], ${ticks.map((tick) => tick.price)}::numeric[]) as until`.execute(db);
  return (rows[0] as { until: Date }).until;
}

/** The highs of the session that no later mark reached, of each asset the highest, which is the oldest, first. */
export async function listHighWater(db: Db): Promise<High[]> {
  const { rows } = await sql<High>`
    select symbol, price::text as price, at from trading.high_water h order by h.symbol, h.price desc`.execute(db);
  return rows;
}

/** Trades of an asset that wait for a tick, to be opened or to be sold, and since when the first of them does. */
export type Waiting = { readonly symbol: string; readonly since: Date };

export async function listWaiting(db: Db, states: readonly ('queued' | 'open')[]): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select symbol, min(since) as since from (
      select symbol, requested_at as since from trading.trade where state = 'queued' and ${states.includes('queued')}::boolean
      union all
      select symbol, close_requested_at from trading.trade where state = 'open' and close_requested_at is not null) as waiting
    group by symbol`.execute(db);
  return rows;
}
