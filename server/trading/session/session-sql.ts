import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { FeeRates } from '#contract/fee-plan.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getValue, hasRow, listValues } from '#server/db/rows.ts';
import type { HaltedPeriod } from '../core/session-events.ts';
import type { SessionWindow } from '../core/session-window.ts';

export type SessionState = 'scheduled' | 'open' | 'settling' | 'settled';

/** The fee plan is null before the opening. */
export type SessionRow = SessionWindow & { readonly state: SessionState; readonly rates: FeeRates | null };

/** SQL for the `FeeRates` of session `s`; null before its opening. */
export const ratesOf = sql`
  case when num_nulls(s.trade_fee_bps, s.performance_fee_bps) = 0 then
    jsonb_build_object('tradeBps', s.trade_fee_bps, 'performanceBps', s.performance_fee_bps) end`;

const columns = sql`
  s.day::text, s.opens_at as "opensAt", s.closes_at as "closesAt", s.state, ${ratesOf} as rates`;

/** The one session that is not settled: open, settling, or next. */
export const findCurrentSession = (db: Db) =>
  findRow(db)<SessionRow>`select ${columns} from trading.session s where s.state <> 'settled'`;

export type SessionTerms = { readonly state: SessionState; readonly performanceBps: number };

/** SQL for the performance fee of session `s`; before its opening, of the current plan: carried trades are open. */
export const performanceBpsOf = sql`
  coalesce(s.performance_fee_bps, (select plan.performance_fee_bps from trading.fee_plan plan order by plan.id desc limit 1))`;

/** State and performance fee of the current session. */
export const findCurrentTerms = (db: Db) =>
  findRow(db)<SessionTerms>`
    select s.state, ${performanceBpsOf} as "performanceBps" from trading.session s where s.state <> 'settled'`;

/** The trade fee of a session that has opened. */
export const getTradeBps = (db: Db, day: string) =>
  getValue(db)<number>`select trade_fee_bps from trading.session where day = ${day}::date`;

export type Progress = {
  readonly session: SessionRow;
  /** Ticks up to here have been filled. */
  readonly followedUntil: Date;
  /** Strategy boundaries up to here are decided; null before the first. */
  readonly decidedUntil: Date | null;
};

/** The current session and how far the market has been processed, in one query. */
export async function findProgress(db: Db): Promise<Progress | undefined> {
  const row = await findRow(db)<SessionRow & Omit<Progress, 'session'>>`
    select ${columns}, f.followed_until as "followedUntil", f.decided_until as "decidedUntil"
    from trading.session s cross join trading.follower f
    where s.state <> 'settled'`;
  if (row === undefined) return undefined;
  const { followedUntil, decidedUntil, ...session } = row;
  return { session, followedUntil, decidedUntil };
}

/** The market clock and the session's state. Everything done in one step uses one snapshot. */
export type SessionSnapshot = Progress & {
  readonly marketAt: Date;
  /** The recording is over: no later price will come. */
  readonly hasEnded: boolean;
  /**
   * Halts in force beyond what was processed. Read after the clock, which is held while trading is being halted: an
   * unread halt starts at this market time or later.
   */
  readonly halts: readonly HaltedPeriod[];
  /** Trades or members processed per transaction. */
  readonly chunkSize: number;
};

/** The same snapshot after the session changed its state. */
export async function refreshSnapshot(
  { db }: { readonly db: Db },
  snapshot: SessionSnapshot,
): Promise<SessionSnapshot> {
  const found = await findProgress(db);
  assert(found, 'one session is always current');
  return { ...snapshot, session: found.session };
}

/** First start: inserts the current session and where processing starts. A second worker has no effect. */
export async function insertInitialProgress(tx: Tx, window: SessionWindow, followedUntil: Date): Promise<void> {
  await execute(tx)`insert into trading.follower (followed_until) values (${followedUntil}) on conflict do nothing`;
  await insertSession(tx, window);
}

export const insertSession = (tx: Tx, window: SessionWindow) =>
  execute(tx)`
    insert into trading.session (day, opens_at, closes_at)
    values (${window.day}::date, ${window.opensAt}, ${window.closesAt})
    on conflict do nothing`;

/**
 * Serializes workers that process the market; members' calls never take this lock.
 *
 * @param instant the instant being processed; refused if already processed
 * @returns whether the session is still in the expected state
 */
export const lockFollower = (tx: Tx, expected: ExpectedState, instant?: Date): Promise<boolean> =>
  lockProgress(tx, expected, instant, sql`for update`);

/**
 * The same lock, shared, for workers on chunks of one step: advancing to the next instant or state waits for all of
 * them. Workers exclude each other by locking a chunk's trades or a batch row.
 */
export const joinFollower = (tx: Tx, expected: ExpectedState, instant?: Date): Promise<boolean> =>
  lockProgress(tx, expected, instant, sql`for share`);

/** The current session neither advances nor ends until the transaction does. */
export const holdSession = (tx: Tx) => execute(tx)`select 1 from trading.follower for share`;

type ExpectedState = Pick<SessionRow, 'day' | 'state'>;

async function lockProgress(
  tx: Tx,
  expected: ExpectedState,
  instant: Date | undefined,
  lock: RawBuilder<unknown>,
): Promise<boolean> {
  const isLocked = await hasRow(tx)`
    select 1 from trading.follower
    where ${instant ?? null}::timestamptz is null or followed_until < ${instant ?? null}::timestamptz ${lock}`;
  if (!isLocked) return false;
  return hasRow(tx)`select 1 from trading.session where day = ${expected.day}::date and state = ${expected.state}`;
}

/** Never moves backwards, even for a slower worker. */
export const updateFollowed = (db: Db, until: Date) =>
  execute(db)`update trading.follower set followed_until = greatest(followed_until, ${until}::timestamptz)`;

/**
 * Opens a session under the newest fee plan; a plan written from now on is the next session's.
 *
 * @returns whether this call opened it: only one of two workers does
 */
export const updateOpened = (tx: Tx, day: string, marketAt: Date) =>
  hasRow(tx)`
    with opened as (
      update trading.session
      set state = 'open', opened_at = ${marketAt}, fee_plan_id = plan.id, trade_fee_bps = plan.trade_fee_bps,
        performance_fee_bps = plan.performance_fee_bps
      from (select id, trade_fee_bps, performance_fee_bps from trading.fee_plan order by id desc limit 1) as plan
      where day = ${day}::date and state = 'scheduled' returning 1),
    forgotten as (delete from trading.high_water where exists (select from opened))
    select 1 from opened`;

export const updateClosed = (tx: Tx, day: string, marketAt: Date) =>
  execute(tx)`
    update trading.session set state = 'settling', closed_at = ${marketAt}, booked_member_id = 0
    where day = ${day}::date and state = 'open'`;

/** @returns whether this call settled it: only one of two workers does */
export const updateSettled = (tx: Tx, day: string, marketAt: Date, manifestHash: string) =>
  hasRow(tx)`
    update trading.session
    set state = 'settled', settled_at = ${marketAt}, manifest_hash = ${manifestHash}, traded_members = sums.traded, negative_members = sums.negative
    from (select count(*) as traded, count(*) filter (where result < 0) as negative from trading.lifetime_result) sums
    where day = ${day}::date and state = 'settling'
    returning 1`;

/** Assets with open trades and no closing mark yet. */
export const listUnmarkedSymbols = (db: Db, day: string) =>
  listValues(db)<string>`
    select distinct t.symbol from trading.trade t
    where t.state = 'open'
      and not exists (select from trading.closing_mark m where m.session_day = ${day}::date and m.symbol = t.symbol)
    order by 1`;

export type ClosingMark = {
  readonly symbol: string;
  readonly mark: string;
  readonly closePrice: string;
  readonly isLate: boolean;
  readonly markedAt: Date;
  /** Whether it is of positions carried over: the session's digest is without it. */
  readonly isCarried?: boolean;
};

/** The first mark stays: all trades of an asset in a session settle at one price. */
export const insertClosingMark = (db: Db, day: string, closing: ClosingMark) =>
  execute(db)`
    insert into trading.closing_mark (session_day, symbol, mark, close_price, is_late, marked_at, is_carried)
    values (${day}::date, ${closing.symbol}, ${closing.mark}::numeric, ${closing.closePrice}::numeric, ${closing.isLate}, ${closing.markedAt},
      ${closing.isCarried ?? false})
    on conflict do nothing`;

/** Figures of the last settled session; undefined before the first. */
export const findLastFigures = (db: Db) =>
  findRow(db)<{ traded: bigint; negative: bigint }>`
    select traded_members as traded, negative_members as negative
    from trading.session where state = 'settled' order by day desc limit 1`;
