import { randomUUID } from 'node:crypto';
import type { Context } from '#server/context.ts';
import { listAssets } from '#server/market/index.ts';
import { followHealth, type VenueOutcome } from '../core/execution/venue-health.ts';
import { followOrder, planOrder } from './hedge-order.ts';
import { type HedgeOrder, listPending, listUnfinishedOrders } from './hedge-sql.ts';
import { openVenue } from './venue-ccxt.ts';
import { type Venue, VenueFault } from './venue-port.ts';
import { claimVenue, releaseVenueLease, updateHealth, type VenueRow } from './venue-state.ts';

/** After this another worker takes over from one that died. */
const LEASE_MS = 5000;
/** The exchange is probed this often without orders, so that the next opening knows whether it is up. */
const PROBE_EVERY_MS = 15_000;

const THIS_PROCESS = randomUUID();

/**
 * One round of hedging (docs/product.md, section 3, "Execution venue"): follows unfinished orders, then orders the
 * difference between members' net positions and the exchange's holdings. Records whether the exchange responds, because
 * openings wait for it. Does nothing on paper, while another worker holds the lease, or during a back-off.
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
  if (health.state !== row.state)
    context.log.warn({ venue: health.state, reason: health.reason }, 'venue state changed');
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

/** One order without an answer does not hold up the others; after a second the round ends. */
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
