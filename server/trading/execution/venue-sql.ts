import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { VenueHealth } from '../core/execution/venue-health.ts';

export type VenueRow = VenueHealth & {
  /** When the exchange was last asked anything; null before the first time. */
  readonly askedAt: Date | null;
};

const columns = sql`state, since, reason, failures, asked_at as "askedAt", wait_until as "waitUntil"`;

export async function findVenue(db: Db): Promise<VenueRow> {
  const { rows } = await sql<VenueRow>`select ${columns} from trading.venue`.execute(db);
  return rows[0] as VenueRow;
}

/**
 * Makes one worker the one that speaks to the exchange. Others may take over once it was silent for so long. Two that
 * both believe it harm nothing (each order is claimed before it is sent); they would only ask everything twice.
 *
 * @returns the venue as it is, or undefined while another worker holds it
 */
export async function claimVenue(db: Db, holder: string, now: Date, heldUntil: Date): Promise<VenueRow | undefined> {
  const { rows } = await sql<VenueRow>`
    update trading.venue set holder = ${holder}, held_until = ${heldUntil}
    where holder is null or holder = ${holder} or held_until <= ${now}
    returning ${columns}`.execute(db);
  return rows[0];
}

export async function updateHealth(db: Db, health: VenueHealth, askedAt: Date): Promise<void> {
  await sql`
    update trading.venue set state = ${health.state}, since = ${health.since}, reason = ${health.reason}::text,
      failures = ${health.failures}, wait_until = ${health.waitUntil}::timestamptz, asked_at = ${askedAt}`.execute(db);
}

export async function releaseVenueLease(db: Db, holder: string): Promise<void> {
  await sql`update trading.venue set holder = null, held_until = null where holder = ${holder}`.execute(db);
}
