import { sql } from 'kysely';
import { MAX_DOLLARS } from '#contract/money.ts';
import { BadConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { latestLease, leaseFrom } from '#server/db/lease.ts';
import { execute, findRow, getRow, getValue } from '#server/db/rows.ts';
import { getMarketTime } from '#server/market/index.ts';
import { closingStart } from '../core/execution/closing-parts.ts';
import type { VenueHealth } from '../core/execution/venue-health.ts';
import { findCurrentSession } from '../session/session-sql.ts';
import { hasExposure, listExposureDifferences } from './exposure-sql.ts';

/** The reason is the exchange's message; for operators. */
export type VenueState = Pick<VenueHealth, 'state' | 'since' | 'reason'>;

/** Whether the exchange answers, as last recorded by the worker that calls it. */
export async function findVenueState(db: Db): Promise<VenueState> {
  const { state, since, reason } = await findVenue(db);
  return { state, since, reason };
}

/** Without a call for this long, its state is unknown: no worker runs, or it hangs. */
const STALE_AFTER_MS = 120_000;

/** Whether trading waits because the exchange is down (docs/product.md, section 3). The paper venue is never down. */
export async function isVenueDown(context: Context): Promise<boolean> {
  if (context.config.venue !== 'ccxt') return false;
  const { state, askedAt } = await findVenue(context.db);
  return state === 'down' || askedAt === null || context.now().getTime() > askedAt.getTime() + STALE_AFTER_MS;
}

/** Whether open positions are being sold at the exchange: in the session's last five minutes. */
export async function isClosing({ config }: Context, db: Db): Promise<boolean> {
  if (config.venue !== 'ccxt') return false;
  const session = await findCurrentSession(db);
  return session?.state === 'open' && (await getMarketTime(db)) >= closingStart(session.closesAt);
}

export type VenueRow = VenueHealth & {
  /** When the exchange was last called; null before the first call. */
  readonly askedAt: Date | null;
  /** When balances were last read. */
  readonly freeAt: Date | null;
};

const columns = sql`state, since, reason, failures, asked_at as "askedAt", wait_until as "waitUntil", free_at as "freeAt"`;

export const findVenue = (db: Db) => getRow(db)<VenueRow>`select ${columns} from trading.venue`;

/**
 * Gives one worker the lease on the exchange. Two workers that both believe they hold it do no harm, because each order
 * is claimed before it is sent.
 *
 * @returns the venue, or undefined while another worker holds it
 */
export const claimVenue = (db: Db, holder: string, now: Date) =>
  findRow(db)<VenueRow>`
    update trading.venue set holder = ${holder}, held_until = ${leaseFrom(now)}
    where holder is null or holder = ${holder} or held_until <= ${now} or held_until > ${latestLease(now)}
    returning ${columns}`;

export const updateHealth = (db: Db, health: VenueHealth, askedAt: Date) =>
  execute(db)`
    update trading.venue set state = ${health.state}, since = ${health.since}, reason = ${health.reason}::text,
      failures = ${health.failures}, wait_until = ${health.waitUntil}::timestamptz, asked_at = ${askedAt}`;

/** How long the exchange has answered during open sessions, in milliseconds. */
export const getAnsweredMs = (db: Db): Promise<bigint> =>
  getValue(db)<bigint>`select answered_ms as ms from trading.venue`;

/** Longer than a round takes. A longer gap does not count as answered time. */
const MAX_ROUND_MS = 5000;

/** Adds the time since the last call. Called during open sessions only. */
export const addAnsweredTime = (db: Db, now: Date) =>
  execute(db)`
    update trading.venue set answered_ms = answered_ms
      + greatest(0, least(${MAX_ROUND_MS}, extract(epoch from ${now}::timestamptz - coalesce(asked_at, ${now}::timestamptz)) * 1000))::bigint`;

export const updateFreeDollars = (db: Db, dollars: string, at: Date) =>
  execute(db)`update trading.venue set free_dollars = ${dollars}::numeric, free_at = ${at}`;

/** Dollars that one order could buy or sell within the largest slippage; no more than an amount can be. */
export const upsertDepth = (
  db: Db,
  symbol: string,
  { buyDepth, sellDepth, at }: { readonly buyDepth: string; readonly sellDepth: string; readonly at: Date },
) =>
  execute(db)`
    insert into trading.depth (symbol, buy_micros, sell_micros, measured_at)
    values (${symbol}, floor(least(${buyDepth}::numeric, ${MAX_DOLLARS}) * 1000000),
      floor(least(${sellDepth}::numeric, ${MAX_DOLLARS}) * 1000000), ${at})
    on conflict (symbol) do update set buy_micros = excluded.buy_micros, sell_micros = excluded.sell_micros, measured_at = excluded.measured_at`;

/** Free funds as last reported; null before the first report. */
export const findFreeDollars = (db: Db) =>
  getRow(db)<{ readonly dollars: string | null; readonly at: Date | null }>`
    select free_dollars::text as dollars, free_at as at from trading.venue`;

export const releaseVenueLease = (db: Db, holder: string) =>
  execute(db)`update trading.venue set holder = null, held_until = null where holder = ${holder}`;

/**
 * Trades end at the venue they started at: the exchange holds coins only for trades it filled.
 *
 * @throws BadConfig when VENUE changed while trades were open
 */
export async function refuseVenueChange({ db, config }: Context): Promise<void> {
  if (config.venue === 'paper') {
    if (await hasExposure(db))
      throw new BadConfig('VENUE: trades or orders are open at the exchange; settle them with VENUE=ccxt first');
    return;
  }
  const differences = await listExposureDifferences(db);
  if (differences.length > 0)
    throw new BadConfig('VENUE: open trades were filled on paper; settle them with VENUE=paper first');
}
