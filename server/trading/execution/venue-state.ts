import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { findVenue } from './venue-sql.ts';

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
 * Whether a session has to wait with its opening, because positions could not be hedged (docs/product.md, section 3).
 * The paper venue is never down.
 */
export async function isVenueDown(context: Context): Promise<boolean> {
  if (context.config.venue !== 'ccxt') return false;
  const { state, askedAt } = await findVenue(context.db);
  return state === 'down' || askedAt === null || context.now().getTime() > askedAt.getTime() + SILENT_MS;
}
