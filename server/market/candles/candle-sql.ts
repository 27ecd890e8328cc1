import { type RawBuilder, sql } from 'kysely';
import { symbols } from '#contract/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, listRows } from '#server/db/rows.ts';
import { isLiveFeed } from '../clock/clock-sql.ts';
import type { FeedCandle } from '../core/candle.ts';
import { type CandleSource, storedSteps } from '../core/intervals.ts';

export type NewCandle = Omit<FeedCandle, 'volume'> & {
  readonly assetId: number;
  readonly stepSeconds: number;
  /** Turnover in dollars; null when unknown. */
  readonly volume: number | null;
};

/** Larger statements are not faster and take memory. */
const ROWS_PER_STATEMENT = 20_000;

/** How to treat a candle that already exists. Only history of a live source can conflict. */
export type Meeting = 'refuse' | 'keep' | 'replace';

const replaceCandle = sql`on conflict (asset_id, step_seconds, at) do update
  set open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close, volume = excluded.volume`;
const meetings: Readonly<Record<Meeting, RawBuilder<unknown>>> = {
  refuse: sql``,
  keep: sql`on conflict (asset_id, step_seconds, at) do nothing`,
  replace: replaceCandle,
};

export async function insertCandles(tx: Tx, candles: readonly NewCandle[], meeting: Meeting = 'refuse'): Promise<void> {
  for (let first = 0; first < candles.length; first += ROWS_PER_STATEMENT) {
    await insertSome(tx, candles.slice(first, first + ROWS_PER_STATEMENT), meeting);
  }
}

async function insertSome(tx: Tx, candles: readonly NewCandle[], meeting: Meeting): Promise<void> {
  // Arrays as text: the embedded engine's own array encoding costs a sixth of the whole insertion.
  const list = (pick: (candle: NewCandle) => number | null) =>
    `{${candles.map((candle) => pick(candle) ?? 'null').join(',')}}`;
  await execute(tx)`
    insert into market.candle (asset_id, step_seconds, at, open, high, low, close, volume)
    select asset_id, step_seconds, to_timestamp(at), open, high, low, close, volume from unnest(
      ${list((candle) => candle.assetId)}::text::smallint[], ${list((candle) => candle.stepSeconds)}::text::integer[],
      ${list((candle) => candle.atMs / 1000)}::text::float8[], ${list((candle) => candle.open)}::text::numeric[],
      ${list((candle) => candle.high)}::text::numeric[], ${list((candle) => candle.low)}::text::numeric[],
      ${list((candle) => candle.close)}::text::numeric[], ${list((candle) => candle.volume)}::text::numeric[]
    ) as n (asset_id, step_seconds, at, open, high, low, close, volume)
    ${meetings[meeting]}`;
}

/** The boundary of a candle of `stepSeconds` at or before `at`. */
const bucket = (stepSeconds: number) =>
  sql`date_bin(make_interval(secs => ${stepSeconds}), at, timestamptz '1970-01-01 00:00:00Z')`;

/** Aggregates of a longer candle: first open, highest high, lowest low, last close, turnover if all are known. */
const together = sql`(array_agg(open order by at))[1] as open, max(high) as high, min(low) as low,
  (array_agg(close order by at desc))[1] as close, case when bool_and(volume is not null) then sum(volume) end as volume`;

const everyAsset = sql`asset_id = any (array(select id from market.asset))`;

/**
 * Stores the longer candles in [fromMs, toMs), built from the stored shorter ones; repeated when shorter ones arrive
 * late. For all assets, or one.
 */
export async function rollUpCandles(
  tx: Tx,
  steps: { from: number; to: number },
  stretch: { fromMs: number; toMs: number; assetId?: number },
): Promise<void> {
  const ofAssets = stretch.assetId === undefined ? everyAsset : sql`asset_id = ${stretch.assetId}`;
  await execute(tx)`
    insert into market.candle (asset_id, step_seconds, at, open, high, low, close, volume)
    select asset_id, ${steps.to}::integer, ${bucket(steps.to)} as opening, ${together}
    from market.candle
    where ${ofAssets} and step_seconds = ${steps.from}
      and at >= ${new Date(stretch.fromMs)} and at < ${new Date(stretch.toMs)}
    group by asset_id, opening
    ${replaceCandle}`;
}

export type StoredCandle = {
  readonly at: Date;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  /** Null when unknown. */
  readonly volume: string | null;
};

/**
 * Candles of one asset in an interval, oldest first. Candles stored in that step are returned as they are; the rest are
 * built from the other sources and the forming candle, whose turnover is known only once it closes (and never on a live
 * feed).
 */
export async function listStoredCandles(
  db: Db,
  assetId: number,
  interval: number,
  sources: readonly CandleSource[],
): Promise<StoredCandle[]> {
  const [first, last] = [sources[0], sources.at(-1)];
  if (first === undefined || last === undefined) return [];
  const read = (source: CandleSource) => sql`
    select at, open, high, low, close, volume from market.candle
    where asset_id = ${assetId} and step_seconds = ${source.stepSeconds} and ${isBetween(sql`at`, source)}`;
  const whole = sources.filter((source) => source.stepSeconds === interval).map(read);
  const pieces = sources.filter((source) => source.stepSeconds !== interval).map(read);
  const forming = sql`
    select forming_at, forming_open, forming_high, forming_low, forming_close,
      case when not ${isLiveFeed} then 0 end
    from market.mark
    where asset_id = ${assetId} and ${isBetween(sql`forming_at`, { fromMs: first.fromMs, toMs: last.toMs })}`;
  const joined = sql`
    select ${bucket(interval)} as opening, ${together}
    from (${sql.join([...pieces, forming], sql` union all `)}) as piece (at, open, high, low, close, volume)
    group by opening`;
  return listRows(db)<StoredCandle>`
    select at, open::text, high::text, low::text, close::text, volume::text
    from (${sql.join([...whole, joined], sql` union all `)}) as candle (at, open, high, low, close, volume)
    order by at`;
}

const isBetween = (column: RawBuilder<unknown>, stretch: { fromMs: number; toMs: number }) =>
  sql`${column} >= ${new Date(stretch.fromMs)} and ${column} < ${new Date(stretch.toMs)}`;

export const deleteCandlesBefore = (tx: Tx, stepSeconds: number, at: Date) =>
  execute(tx)`
    delete from market.candle where ${everyAsset} and step_seconds = ${stepSeconds} and at < ${at}`;

export type Statistics = {
  readonly assetId: number;
  /** The price in force 24 hours ago, as decimal text; null when nothing is recorded from then. */
  readonly dayAgo: string | null;
  readonly high: string | null;
  readonly low: string | null;
  readonly volume: string | null;
  readonly spark: number[] | null;
};

/**
 * 24-hour figures of all assets: long candles in the middle, short ones at both ends, so that about 120 rows per asset
 * are read instead of 1 440. The limit tells the planner how few assets there are; with an estimate of hundreds,
 * PostgreSQL would JIT-compile the query each time, for half a second.
 */
export const listStatistics = (
  db: Db | Tx,
  steps: { short: number; long: number; spark: number },
  stretch: { fromMs: number; longFromMs: number; longToMs: number; toMs: number },
) =>
  listRows(db)<Statistics>`
    select a.id as "assetId", before.close::text as "dayAgo", day.high::text as high, day.low::text as low,
      day.volume::text as volume, day.spark
    from (select id from market.asset order by id limit ${symbols.length}) as a
    left join lateral (
      select close from market.candle
      where asset_id = a.id and step_seconds = ${steps.short}
        and at <= ${new Date(stretch.fromMs - steps.short * 1000)} order by at desc limit 1
    ) as before on true
    left join lateral (
      select max(high) as high, min(low) as low, sum(volume) as volume,
        array_agg(close::float8 order by at) filter (where closes_spark) as spark
      from (
        select at, high, low, close, volume,
          (extract(epoch from at)::bigint + ${steps.long}) % ${steps.spark} = 0 as closes_spark
        from market.candle where asset_id = a.id and step_seconds = ${steps.long}
          and ${isBetween(sql`at`, { fromMs: stretch.longFromMs, toMs: stretch.longToMs })}
        union all
        select at, high, low, close, volume, false from market.candle
        where asset_id = a.id and step_seconds = ${steps.short} and ${steps.short}::integer <> ${steps.long}
          and (${isBetween(sql`at`, { fromMs: stretch.fromMs, toMs: stretch.longFromMs })}
            or ${isBetween(sql`at`, { fromMs: stretch.longToMs, toMs: stretch.toMs })})
      ) as candle
    ) as day on true`;

/** The embedded engine never analyzes by itself, and PostgreSQL only a minute later. */
export const analyzeMarket = (tx: Tx) => execute(tx)`select market.analyze_prices()`;

/** Opening time of the first stored candle of each asset, including longer candles. */
export async function listFirstCandles(db: Db, feedStepSeconds: number): Promise<Map<string, Date>> {
  const rows = await listRows(db)<{ symbol: string; at: Date | null }>`
    select a.symbol, (
      select min(first.at) from unnest(${storedSteps(feedStepSeconds)}::integer[]) as step (seconds)
      cross join lateral (
        select at from market.candle where asset_id = a.id and step_seconds = step.seconds order by at limit 1
      ) as first) as at
    from market.asset a`;
  return new Map(rows.flatMap(({ symbol, at }) => (at === null ? [] : [[symbol, at]])));
}
