import { sql } from 'kysely';
import { BadConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { execute, findRow, getRow } from '#server/db/rows.ts';
import type { VenueHealth } from '../core/execution/venue-health.ts';
import { hasExposure, listExposureDifferences } from './hedge-exposure-sql.ts';

export type VenueState = {
  readonly state: 'up' | 'down';
  readonly since: Date;
  /** Why it is down, in the exchange's words: for operators. */
  readonly reason: string | null;
};

/** Whether the exchange answers, as the worker that speaks to it last found. */
export async function findVenueState(db: Db): Promise<VenueState> {
  const { state, since, reason } = await findVenue(db);
  return { state, since, reason };
}

/** When nobody asked for so long, nobody knows: no worker runs, or it hangs. */
const SILENT_MS = 120_000;

/**
 * Whether openings wait because positions could not be hedged (docs/product.md, section 3). The paper venue is never
 * down.
 */
export async function isVenueDown(context: Context): Promise<boolean> {
  if (context.config.venue !== 'ccxt') return false;
  const { state, askedAt } = await findVenue(context.db);
  return state === 'down' || askedAt === null || context.now().getTime() > askedAt.getTime() + SILENT_MS;
}

export type VenueRow = VenueHealth & {
  /** When the exchange was last asked anything; null before the first time. */
  readonly askedAt: Date | null;
};

const columns = sql`state, since, reason, failures, asked_at as "askedAt", wait_until as "waitUntil"`;

export const findVenue = (db: Db) => getRow(db)<VenueRow>`select ${columns} from trading.venue`;

/**
 * Gives one worker the lease on the exchange. Two that both believe they hold it harm nothing, because each order is
 * claimed before it is sent.
 *
 * @returns the venue, or undefined while another worker holds it
 */
export const claimVenue = (db: Db, holder: string, now: Date, heldUntil: Date) =>
  findRow(db)<VenueRow>`
    update trading.venue set holder = ${holder}, held_until = ${heldUntil}
    where holder is null or holder = ${holder} or held_until <= ${now}
    returning ${columns}`;

export const updateHealth = (db: Db, health: VenueHealth, askedAt: Date) =>
  execute(db)`
    update trading.venue set state = ${health.state}, since = ${health.since}, reason = ${health.reason}::text,
      failures = ${health.failures}, wait_until = ${health.waitUntil}::timestamptz, asked_at = ${askedAt}`;

export const releaseVenueLease = (db: Db, holder: string) =>
  execute(db)`update trading.venue set holder = null, held_until = null where holder = ${holder}`;

/**
 * Trades end at the venue they began at: the exchange holds coins only for those it hedged.
 *
 * @throws BadConfig when VENUE was changed while trades were open
 */
export async function refuseVenueChange({ db, config }: Context): Promise<void> {
  if (config.venue === 'paper') {
    if (await hasExposure(db))
      throw new BadConfig('VENUE: open trades are hedged at the exchange; settle them with VENUE=ccxt first');
    return;
  }
  const differences = await listExposureDifferences(db);
  if (differences.length > 0)
    throw new BadConfig('VENUE: open trades were filled on paper; settle them with VENUE=paper first');
}
