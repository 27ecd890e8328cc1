import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getValue, listRows } from '#server/db/rows.ts';
import type { Tick } from '../core/fills.ts';
import type { Spreads } from '../core/session-events.ts';
import type { CandleMark } from '../core/stops/candle-marks.ts';
import type { High } from '../core/stops/stops.ts';

/**
 * Checks ticks, in time order, against the stops of open trades. Ends at the first trigger; the trade is sold at the
 * next tick.
 *
 * @returns the instant up to which ticks are processed
 */
export const followTicks = (db: Db, day: string, ticks: readonly Tick[]): Promise<Date> =>
  getValue(db)<Date>`
    select trading.follow_ticks(${day}::date, ${ticks.map((tick) => tick.at.toISOString())}::timestamptz[],
      ${ticks.map((tick) => tick.symbol)}::text[], ${ticks.map((tick) => tick.price)}::numeric[]) as until`;

/**
 * The same for prices of one instant on a coarse feed: a triggered trade is sold at the first price of the next candle,
 * and no better than at its level (docs/trading.md, "Stops on coarse prices").
 */
export async function followCoarse(
  db: Db,
  day: string,
  marks: readonly [CandleMark, ...CandleMark[]],
  spreads: Spreads,
): Promise<void> {
  const passed = marks.flatMap((mark) => mark.passed ?? []);
  const [{ at, stage }] = marks;
  await execute(db)`
    select trading.follow_coarse(${day}::date, ${at}::timestamptz, ${stage}::text, ${marks.map(({ symbol }) => symbol)}::text[],
      ${marks.map(({ price }) => price)}::numeric[], ${marks.map(({ symbol }) => spreads.get(symbol))}::int[],
      ${marks.map(({ first }) => first?.at.toISOString() ?? null)}::timestamptz[], ${marks.map(({ first }) => first?.price ?? null)}::numeric[],
      ${passed.map((tick) => tick.at.toISOString())}::timestamptz[], ${passed.map((tick) => tick.symbol)}::text[],
      ${passed.map((tick) => tick.price)}::numeric[])`;
}

/** The instant after which ticks can trigger the stops of an open trade, and its highest mark so far. */
export type Watched = {
  readonly stopsSince: Date;
  readonly trailingSince: Date | null;
  readonly highest: string | null;
  readonly followedUntil: Date;
};

/** For an open trade with stops. One SQL statement, because the high and the market's progress must be consistent. */
export const findWatched = (tx: Tx, id: bigint) =>
  findRow(tx)<Watched>`
    select t.stops_since as "stopsSince", t.trailing_since as "trailingSince", f.followed_until as "followedUntil",
      (select max(h.price)::text from trading.high_water h where h.symbol = t.symbol and h.at >= t.trailing_since) as highest
    from trading.trade t cross join trading.follower f
    where t.id = ${id} and t.stops_since is not null`;

/** Session highs not exceeded since; per asset the highest, and thus the oldest, comes first. */
export const listHighWater = (db: Db) =>
  listRows(db)<High>`
    select symbol, price::text as price, at from trading.high_water h order by h.symbol, h.price desc`;

/** Assets with trades that wait for a tick to open or be sold, and since when the first of them waits. */
export type Waiting = { readonly symbol: string; readonly since: Date };

export const listWaiting = (db: Db, states: readonly ('queued' | 'open')[]) =>
  listRows(db)<Waiting>`
    select symbol, min(since) as since from (
      select symbol, requested_at as since from trading.trade where state = 'queued' and ${states.includes('queued')}::boolean
      union all
      select symbol, close_requested_at from trading.trade where state = 'open' and close_requested_at is not null) as waiting
    group by symbol`;

/** A stop triggered by a tick; the trade awaits its sale from that tick on. */
export type Trigger = { readonly at: Date; readonly cause: 'stop_loss' | 'take_profit' | 'trailing_stop' };

/**
 * The first stop triggered by unprocessed ticks, under the rule of `trading.follow_ticks`.
 *
 * @param ticks of the session, in time order
 */
export const findFirstTrigger = (tx: Tx, id: bigint, ticks: readonly Tick[]) =>
  findRow(tx)<Trigger>`
    with coming as (
      select tick.at, tick.price, t.stops_since, t.stop_loss_price, t.take_profit_price, t.trailing_stop_permille, greatest(
        max(tick.price) filter (where tick.at >= t.trailing_since) over (order by tick.at),
        (select max(h.price) from trading.high_water h where h.symbol = t.symbol and h.at >= t.trailing_since)) as highest
      from trading.trade t cross join trading.follower f cross join unnest(
        ${ticks.map((tick) => tick.at.toISOString())}::timestamptz[], ${ticks.map((tick) => tick.price)}::numeric[]) as tick(at, price)
      where t.id = ${id} and tick.at > f.followed_until)
    select at, cause from coming cross join lateral (
      select case
        when price <= stop_loss_price then 'stop_loss'
        when price >= take_profit_price then 'take_profit'
        when price * 1000 <= highest * (1000 - trailing_stop_permille) then 'trailing_stop'
      end as cause) as c
    where at > stops_since and cause is not null
    order by at limit 1`;
