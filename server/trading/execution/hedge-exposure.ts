import { randomUUID } from 'node:crypto';
import type { Context } from '#server/context.ts';
import { listAssets } from '#server/market/index.ts';
import { followHealth, type VenueOutcome } from '../core/execution/venue-health.ts';
import { followOrder, planOrder } from './hedge-order.ts';
import { type HedgeOrder, listPending, listUnfinishedOrders } from './hedge-sql.ts';
import { openVenue } from './venue-ccxt.ts';
import { type Venue, VenueFault } from './venue-port.ts';
import { claimVenue, releaseVenueLease, updateHealth, type VenueRow } from './venue-state.ts';

/** A worker that ended without saying so is followed by another after this. */
const LEASE_MS = 5000;
/** The exchange is asked something this often even when there is nothing to order, so that the next opening knows. */
const PROBE_EVERY_MS = 15_000;

const THIS_PROCESS = randomUUID();

/**
 * One round of hedging (docs/product.md, section 3, "Execution venue"): brings every unfinished order on, then orders
 * the difference between members' net positions and what the exchange holds for them, asset by asset. Keeps whether the
 * exchange answers, so that openings wait for it. Called about once a second; killed anywhere, the next round goes on.
 * Nothing happens with the paper venue, while another worker does it, or while the exchange is left alone.
 */
export async function hedgeExposure(context: Context, given?: Venue, holder: string = THIS_PROCESS): Promise<void> {
  if (context.config.venue !== 'ccxt') return;
  const now = context.now();
  const row = await claimVenue(context.db, holder, now, new Date(now.getTime() + LEASE_MS));
  if (row === undefined || (row.waitUntil !== null && now < row.waitUntil)) return;
  const outcome = await playRound(context, given ?? (await openVenue(context)), row);
  if (outcome === undefined) return;
  const askedAt = context.now();
  const health = followHealth(row, outcome, askedAt);
  await updateHealth(context.db, health, askedAt);
  if (health.state !== row.state) context.log.warn({ venue: health.state, reason: health.reason }, 'venue changed');
}

/** Lets another worker take over at once: for a process that is about to end. */
export async function releaseVenue(context: Context, holder: string = THIS_PROCESS): Promise<void> {
  await releaseVenueLease(context.db, holder);
}

/** @returns undefined when there was nothing to ask */
async function playRound(context: Context, venue: Venue, row: VenueRow): Promise<VenueOutcome | undefined> {
  const faults: VenueFault[] = [];
  try {
    const hasProbed = await probe(context, venue, row);
    const hasFollowed = await followAll(context, venue, faults);
    const hasOrdered = await orderAll(context, venue, faults);
    if (faults[0] !== undefined) return readFault(faults[0]);
    return hasProbed || hasFollowed || hasOrdered ? { kind: 'answered' } : undefined;
  } catch (error) {
    if (!(error instanceof VenueFault)) throw error;
    return readFault(error);
  }
}

const readFault = (fault: VenueFault): VenueOutcome => ({
  kind: 'failed',
  reason: fault.message,
  isCertain: fault.kind === 'unreachable' || fault.kind === 'unauthorised' || isBan(fault),
  retryAfterMs: fault.retryAfterMs,
});

/** Told to stay away for longer than an opening should wait. */
const LONG_MS = 30_000;
const isBan = ({ retryAfterMs }: VenueFault): boolean => retryAfterMs !== null && retryAfterMs > LONG_MS;

async function probe(context: Context, venue: Venue, { state, askedAt }: VenueRow): Promise<boolean> {
  const isFresh = askedAt !== null && context.now().getTime() < askedAt.getTime() + PROBE_EVERY_MS;
  if (state === 'up' && isFresh) return false;
  await venue.listBalances();
  return true;
}

/** An order about which the exchange gives no answer does not keep the others waiting; after a second one it is left alone. */
const FAULTS_A_ROUND = 2;

async function follow(context: Context, venue: Venue, order: HedgeOrder, faults: VenueFault[]): Promise<void> {
  try {
    await followOrder(context, venue, order);
  } catch (error) {
    if (!(error instanceof VenueFault) || error.kind !== 'unknown') throw error;
    faults.push(error);
    if (faults.length >= FAULTS_A_ROUND) throw error;
  }
}

async function followAll(context: Context, venue: Venue, faults: VenueFault[]): Promise<boolean> {
  const orders = await listUnfinishedOrders(context.db);
  for (const order of orders) await follow(context, venue, order, faults);
  return orders.length > 0;
}

async function orderAll(context: Context, venue: Venue, faults: VenueFault[]): Promise<boolean> {
  const pending = await listPending(context.db);
  if (pending.length === 0) return false;
  const [limits, assets] = [await venue.listLimits(), await listAssets(context.db)];
  const marks = new Map(assets.map((asset) => [asset.symbol, asset.mark?.price ?? null]));
  let hasOrdered = false;
  for (const asset of pending) {
    const { symbol } = asset;
    const order = await planOrder(context, asset, marks.get(symbol) ?? null, limits.get(symbol));
    if (order === undefined) continue;
    await follow(context, venue, order, faults);
    hasOrdered = true;
  }
  return hasOrdered;
}
