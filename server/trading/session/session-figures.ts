import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { findRow, getRow, listRows } from '#server/db/rows.ts';
import { findSessionSpread } from '#server/market/index.ts';
import { type FillMark, findFillMark, plain } from '../core/fill-mark.ts';
import { LruCache } from '../portfolio/lru-cache.ts';
import { readMarks } from '../portfolio/read-marks.ts';
import type { ClosingMark, SessionState } from './session-sql.ts';

/** The price of a session's trades, and the mark and spread behind it. */
export type SessionPrice = FillMark & { readonly price: string; readonly at: Date };

/** Figures of an asset in which trades opened during the session. */
export type SessionAssetFigures = AssetFigures & {
  /** The first opening. */
  readonly opening: SessionPrice;
  /** The closing mark; null until it is fixed. */
  readonly closing: (SessionPrice & { readonly isLate: boolean }) | null;
};

/** A settled session no longer changes, so its figures are computed once per process. */
const cache = new LruCache<string, readonly SessionAssetFigures[]>(40);

/** Prices and positions of a session by asset, in the order of their symbols. */
export async function listSessionAssets(
  db: Db,
  { day, isSettled }: { readonly day: string; readonly isSettled: boolean },
): Promise<readonly SessionAssetFigures[]> {
  const known = cache.get(db, day);
  if (known !== undefined) return known;
  const [figures, marks] = await Promise.all([listAssetFigures(db, day), listClosingMarks(db, day)]);
  const assets = await Promise.all(
    figures.map((asset) =>
      withPrices(
        db,
        day,
        asset,
        marks.find(({ symbol }) => symbol === asset.symbol),
      ),
    ),
  );
  // A carried trade leaves the session for the one in which it closes.
  if (isSettled && assets.every(({ openTrades }) => openTrades === 0n)) cache.set(db, day, assets);
  return assets;
}

async function withPrices(
  db: Db,
  day: string,
  asset: AssetFigures,
  closed: ClosingMark | undefined,
): Promise<SessionAssetFigures> {
  const { symbol, openedAt, openPrice } = asset;
  const spreadBps = (await findSessionSpread(db, symbol, day)) ?? 0;
  const mark = (await readMarks(db, symbol, [openedAt])).exact(openedAt);
  return {
    ...asset,
    opening: { ...findFillMark('buy', openPrice, { mark, spreadBps }), price: plain(openPrice), at: openedAt },
    closing: closed === undefined ? null : closingOf(closed, spreadBps),
  };
}

const closingOf = ({ mark, closePrice, isLate, markedAt }: ClosingMark, spreadBps: number) => ({
  ...findFillMark('sell', closePrice, { mark, spreadBps }),
  price: plain(closePrice),
  at: markedAt,
  isLate,
});

export type SessionFigures = {
  readonly day: string;
  readonly state: SessionState;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly openedAt: Date | null;
  readonly closedAt: Date | null;
  readonly settledAt: Date | null;
  readonly feePlanId: number | null;
  readonly tradeBps: number | null;
  readonly performanceBps: number | null;
  readonly manifestHash: string | null;
  /** Booked batches of members, and their sums; complete once the session is settled. */
  readonly blocks: bigint;
  readonly members: bigint;
  readonly trades: bigint;
  readonly staked: bigint;
  readonly tradeFees: bigint;
  readonly performanceFees: bigint;
  readonly gross: bigint;
};

const figures = sql`
  s.day::text as day, s.state, s.opens_at as "opensAt", s.closes_at as "closesAt", s.opened_at as "openedAt",
  s.closed_at as "closedAt", s.settled_at as "settledAt", s.fee_plan_id as "feePlanId", s.trade_fee_bps as "tradeBps",
  s.performance_fee_bps as "performanceBps", s.manifest_hash as "manifestHash", b.*`;

/** Reads the member batches of each session once: a million members have 245. */
const blockSums = sql`
  cross join lateral (
    select count(*) as blocks, coalesce(sum(members), 0)::bigint as members, coalesce(sum(trades), 0)::bigint as trades,
      coalesce(sum(staked), 0)::bigint as staked, coalesce(sum(trade_fees), 0)::bigint as "tradeFees",
      coalesce(sum(performance_fees), 0)::bigint as "performanceFees", coalesce(sum(gross), 0)::bigint as gross
    from trading.booked_block where session_day = s.day) as b`;

/** Sessions before this day, newest first. */
export const listSessionFigures = (
  db: Db,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
) =>
  listRows(db)<SessionFigures>`
    select ${figures} from (
      select * from trading.session where day < ${before ?? 'infinity'}::date order by day desc limit ${limit}) as s
    ${blockSums} order by s.day desc`;

export const findSessionFigures = (db: Db, day: string) =>
  findRow(db)<SessionFigures>`
    select ${figures} from trading.session s ${blockSums} where s.day = ${day}::date`;

export type AssetFigures = {
  readonly symbol: string;
  readonly trades: bigint;
  readonly staked: bigint;
  readonly tradeFees: bigint;
  readonly openTrades: bigint;
  readonly openStaked: bigint;
  readonly gross: bigint;
  readonly performanceFees: bigint;
  readonly result: bigint;
  /** Market time of the first opening, and its price. */
  readonly openedAt: Date;
  readonly openPrice: string;
  /** Whether its trades were filled at an exchange. */
  readonly isFilled: boolean;
};

/**
 * Sums of a session's trades by asset, in one pass along the index by day. The first opening is the smallest pair of
 * instant and price.
 */
const listAssetFigures = (db: Db, day: string) =>
  listRows(db)<AssetFigures>`
    select symbol, trades, staked, "tradeFees", "openTrades", "openStaked", gross, "performanceFees", result,
      to_timestamp(first[1]) as "openedAt", round(first[2], 12)::text as "openPrice", "isFilled"
    from (
      select symbol, count(*) as trades, sum(amount)::bigint as staked, sum(fee)::bigint as "tradeFees",
        count(*) filter (where state = 'open') as "openTrades",
        coalesce(sum(amount) filter (where state = 'open'), 0)::bigint as "openStaked",
        coalesce(sum(gross), 0)::bigint as gross, coalesce(sum(performance_fee), 0)::bigint as "performanceFees",
        coalesce(sum(result), 0)::bigint as result,
        min(array[extract(epoch from opened_at), open_price]) as first, bool_or(open_batch_id is not null) as "isFilled"
      from trading.trade where session_day = ${day}::date group by symbol) as asset
    order by symbol`;

const listClosingMarks = (db: Db, day: string) =>
  listRows(db)<ClosingMark>`
    select symbol, mark::text as mark, close_price::text as "closePrice", is_late as "isLate", marked_at as "markedAt"
    from trading.closing_mark where session_day = ${day}::date order by symbol`;

export const sumQueued = (db: Db): Promise<{ readonly trades: bigint; readonly staked: bigint }> =>
  getRow(db)<{ trades: bigint; staked: bigint }>`
    select count(*) as trades, coalesce(sum(amount), 0)::bigint as staked from trading.trade where state = 'queued'`;
