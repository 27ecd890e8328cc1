import { sql } from 'kysely';
import type { FeeRates } from '#contract/fee-plan.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { SessionState } from './session-sql.ts';

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
  /** Blocks of members that are booked, and what they came to together; of all of them once the session is settled. */
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

/** One look at the blocks of each session, of which a million members have 245. */
const blockSums = sql`
  cross join lateral (
    select count(*) as blocks, coalesce(sum(members), 0)::bigint as members, coalesce(sum(trades), 0)::bigint as trades,
      coalesce(sum(staked), 0)::bigint as staked, coalesce(sum(trade_fees), 0)::bigint as "tradeFees",
      coalesce(sum(performance_fees), 0)::bigint as "performanceFees", coalesce(sum(gross), 0)::bigint as gross
    from trading.booked_block where session_day = s.day) as b`;

/** Sessions of earlier days than this one, the newest first. */
export async function listSessionFigures(
  db: Db,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<SessionFigures[]> {
  const { rows } = await sql<SessionFigures>`
    select ${figures} from (
      select * from trading.session where day < ${before ?? 'infinity'}::date order by day desc limit ${limit}) as s
    ${blockSums} order by s.day desc`.execute(db);
  return rows;
}

export async function findSessionFigures(db: Db, day: string): Promise<SessionFigures | undefined> {
  const { rows } = await sql<SessionFigures>`
    select ${figures} from trading.session s ${blockSums} where s.day = ${day}::date`.execute(db);
  return rows[0];
}

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
  /** Market time of the first opening, and what its trades were bought at. */
  readonly openedAt: Date;
  readonly openPrice: string;
};

/**
 * What the trades of a session came to by asset, in one pass over them: those of one day lie side by side, and the index of
 * days leads there. The first opening is the least of the pairs of instant and price.
 */
export async function listAssetFigures(db: Db, day: string): Promise<AssetFigures[]> {
  const { rows } = await sql<AssetFigures>`
    select symbol, trades, staked, "tradeFees", "openTrades", "openStaked", gross, "performanceFees", result,
      to_timestamp(first[1]) as "openedAt", round(first[2], 12)::text as "openPrice"
    from (
      select symbol, count(*) as trades, sum(amount)::bigint as staked, sum(fee)::bigint as "tradeFees",
        count(*) filter (where state = 'open') as "openTrades",
        coalesce(sum(amount) filter (where state = 'open'), 0)::bigint as "openStaked",
        coalesce(sum(gross), 0)::bigint as gross, coalesce(sum(performance_fee), 0)::bigint as "performanceFees",
        coalesce(sum(result), 0)::bigint as result,
        min(array[extract(epoch from opened_at), open_price]) as first
      from trading.trade where session_day = ${day}::date group by symbol) as asset
    order by symbol`.execute(db);
  return rows;
}

export type SessionMark = {
  readonly symbol: string;
  readonly mark: string;
  readonly closePrice: string;
  readonly isLate: boolean;
  readonly markedAt: Date;
};

export async function listClosingMarks(db: Db, day: string): Promise<SessionMark[]> {
  const { rows } = await sql<SessionMark>`
    select symbol, mark::text as mark, close_price::text as "closePrice", is_late as "isLate", marked_at as "markedAt"
    from trading.closing_mark where session_day = ${day}::date order by symbol`.execute(db);
  return rows;
}

export async function sumQueued(db: Db): Promise<{ readonly trades: bigint; readonly staked: bigint }> {
  const { rows } = await sql<{ trades: bigint; staked: bigint }>`
    select count(*) as trades, coalesce(sum(amount), 0)::bigint as staked from trading.trade where state = 'queued'`.execute(
    db,
  );
  return rows[0] as { trades: bigint; staked: bigint };
}

/** What the results of a settled session rest on; undefined without a manifest. */
export async function findReplayTerms(
  tx: Tx,
  day: string,
): Promise<{ readonly rates: FeeRates | null; readonly manifestHash: string } | undefined> {
  const { rows } = await sql<{ tradeBps: number | null; performanceBps: number | null; manifestHash: string }>`
    select trade_fee_bps as "tradeBps", performance_fee_bps as "performanceBps", manifest_hash as "manifestHash"
    from trading.session where day = ${day}::date and manifest_hash is not null`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { tradeBps, performanceBps, manifestHash } = row;
  return { rates: tradeBps === null || performanceBps === null ? null : { tradeBps, performanceBps }, manifestHash };
}
