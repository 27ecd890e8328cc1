import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { type Clock, lockClock, releaseLease, updateClock } from './clock-sql.ts';
import { openFeed, type PriceFeed } from './feed.ts';
import { playStretch, type RefusedTick } from './play-stretch.ts';

export type Advance = {
  /** Real time that has passed since the last call; more than two seconds count as two. */
  readonly elapsedMs: number;
  /** Jump to this market time instead, writing the candles of what is jumped over. */
  readonly skipTo?: Date;
  /** Who moves the clock; this process, unless said otherwise. */
  readonly holder?: string;
};

export type Advanced = {
  readonly marketAt: Date;
  /** False when another process holds the clock: this one has nothing to do. */
  readonly advanced: boolean;
};

/** A worker that was away (a suspended laptop, a long pause) does not make the market leap. */
const MOST_ELAPSED_MS = 2000;
/** Whoever moved the clock keeps it this long; then another may take over. */
const LEASE_MS = 5000;
/** A skip is written in pieces of this much market time, so that no transaction holds the database for long. */
const SKIP_PIECE_MS = 4 * 3_600_000;
/** Ticks stored before the end of a skip: enough for fresh marks and an average over the minutes before. */
const LEAST_TICKS_MS = 15 * 60_000;

const THIS_PROCESS = randomUUID();

/**
 * One step of the market: moves the stored clock by the elapsed time × speed, or jumps to `skipTo`, and stores the
 * ticks, marks and candles of what passed, all in one transaction (a jump: one for every four market hours). Killed
 * anywhere, it goes on where the clock stands. Only one process moves the clock; a second one is told so.
 *
 * @throws BadConfig when the feed cannot be read, Refused never
 */
export async function advanceMarket(context: Context, advance: Advance): Promise<Advanced> {
  assert(advance.elapsedMs >= 0, 'time does not run backwards');
  const feed = await openFeed(context.config.market);
  for (;;) {
    const step = await inTransaction(context.db, (tx) => advanceOnce(tx, context, feed, advance));
    for (const tick of step.refused) {
      context.log.warn({ ...tick, at: new Date(tick.atMs) }, 'price refused');
    }
    if (step.isThere) return { marketAt: step.marketAt, advanced: step.advanced };
  }
}

/** Lets another process take the clock at once: for a process that is about to end. */
export async function releaseMarket(context: Context, holder: string = THIS_PROCESS): Promise<void> {
  await releaseLease(context.db, holder);
}

type Step = Advanced & { readonly isThere: boolean; readonly refused: readonly RefusedTick[] };

async function advanceOnce(tx: Tx, context: Context, feed: PriceFeed, advance: Advance): Promise<Step> {
  const clock = await lockClock(tx);
  assert(clock, 'prepareMarket has not run');
  const holder = advance.holder ?? THIS_PROCESS;
  const now = context.now();
  if (isHeldByAnother(clock, holder, now)) {
    return { marketAt: clock.at, advanced: false, isThere: true, refused: [] };
  }
  const goalMs = findGoal(clock, feed, advance, context.config.market.speed);
  const isSkip = advance.skipTo !== undefined;
  const toMs = isSkip ? Math.min(goalMs, clock.at.getTime() + SKIP_PIECE_MS) : goalMs;
  const refused = await playTo(tx, feed, clock, toMs, isSkip ? goalMs - ticksBefore(feed) : clock.at.getTime());
  await updateClock(tx, { at: new Date(toMs), holder, heldUntil: new Date(now.getTime() + LEASE_MS) });
  return { marketAt: new Date(toMs), advanced: true, isThere: toMs === goalMs, refused };
}

/** Stretch of market time before an instant of which ticks are stored although nobody follows them. */
export const ticksBefore = (feed: PriceFeed): number => Math.max(LEAST_TICKS_MS, feed.stepSeconds * 4000);

async function playTo(
  tx: Tx,
  feed: PriceFeed,
  clock: Clock,
  toMs: number,
  ticksAfterMs: number,
): Promise<readonly RefusedTick[]> {
  const fromMs = clock.at.getTime();
  return toMs === fromMs ? [] : playStretch(tx, feed, { fromMs, toMs, ticksAfterMs });
}

const isHeldByAnother = (clock: Clock, holder: string, now: Date): boolean =>
  clock.holder !== null && clock.holder !== holder && clock.heldUntil !== null && clock.heldUntil > now;

/** Never back, and never past the end of a recording. */
function findGoal(clock: Clock, feed: PriceFeed, advance: Advance, speed: number): number {
  const fromMs = clock.at.getTime();
  const wishMs = advance.skipTo?.getTime() ?? fromMs + Math.round(Math.min(advance.elapsedMs, MOST_ELAPSED_MS) * speed);
  const endMs = feed.endsAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return Math.max(fromMs, Math.min(wishMs, endMs));
}
