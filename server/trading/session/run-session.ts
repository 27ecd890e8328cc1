import type { Context } from '#server/context.ts';
import { listAssets, listTicks } from '#server/market/index.ts';
import {
  type Instant,
  isHaltedAt,
  quietInstants,
  type SessionEvent,
  type Spreads,
  sessionEvents,
} from '../core/session-events.ts';
import { type CandleMark, candleMarks, earliestNeeded } from '../core/stops/candle-marks.ts';
import { cancelOverLimits } from '../limits/cancel-over-limits.ts';
import { decidePlans } from '../plans/decide-plans.ts';
import { findCoarseGrain } from '../stops/find-pending-trigger.ts';
import { followCoarse, followTicks, listWaiting } from '../stops/stop-sql.ts';
import { cancelForbidden, cancelHalted, cancelLimited } from './cancel-trades.ts';
import { openQueued } from './open-due-trades.ts';
import type { SessionSnapshot } from './session-sql.ts';
import { closeRequested } from './settle-due-trades.ts';

/**
 * Processes an open session instant by instant, so that results do not depend on how often the market is processed. At
 * each quarter of an hour strategies decide. Each tick opens trades requested before it, sells those due to close, and
 * is checked against stops. Instants without fills are processed together, except on a coarse feed. While trading is
 * halted, nothing opens. At an exchange nothing is filled here, but in batches (`executeBatches`).
 */
export async function runSession(context: Context, snapshot: SessionSnapshot): Promise<void> {
  const [assets, ticks, marksAt] = await Promise.all([
    listAssets(context.db),
    listTicks(context.db, { after: snapshot.followedUntil, upTo: snapshot.marketAt }),
    readCandleMarks(context, snapshot),
  ]);
  const spreads = new Map(assets.map((asset) => [asset.symbol, asset.spreadBps]));
  const inactiveSymbols = assets.filter((asset) => !asset.active).map((asset) => asset.symbol);
  await cancelForbidden(context, snapshot, inactiveSymbols);
  await cancelOverLimits(context, snapshot);
  const events = sessionEvents(ticks, snapshot.session, snapshot);
  for (let next = 0; next < events.length; ) {
    const event = events[next] as SessionEvent;
    if (event.kind === 'boundary') {
      await decidePlans(context, snapshot, event.at, inactiveSymbols);
      next += 1;
    } else if (event.kind === 'halt') {
      await cancelHalted(context, snapshot, event);
      next += 1;
    } else {
      const isHalted = isHaltedAt(snapshot.halts, event.at);
      const instants = instantsFrom(events, next, ({ at }) => isHaltedAt(snapshot.halts, at) === isHalted);
      next += await runInstants(context, snapshot, instants, {
        spreads,
        marksAt,
        openingWaits: isHalted,
      });
    }
  }
}

/** The instants up to the next boundary or halt, or to the first instant that differs from the first. */
function instantsFrom(
  events: readonly SessionEvent[],
  from: number,
  isAlike: (instant: Instant) => boolean,
): Instant[] {
  const instants: Instant[] = [];
  for (const event of events.slice(from)) {
    if (event.kind !== 'tick' || !isAlike(event)) break;
    instants.push(event);
  }
  return instants;
}

type RoundContext = {
  readonly spreads: Spreads;
  /** By the instant in milliseconds; empty unless the feed is coarse. */
  readonly marksAt: ReadonlyMap<number, Marks>;
  readonly openingWaits: boolean;
};
type Marks = readonly [CandleMark, ...CandleMark[]];

/** @returns how many instants are done: at least one, and all up to the first trigger */
async function runInstants(
  context: Context,
  snapshot: SessionSnapshot,
  instants: readonly Instant[],
  { spreads, marksAt, openingWaits }: RoundContext,
): Promise<number> {
  if (context.config.venue === 'ccxt') return followStops(context, snapshot, instants);
  const waiting = await listWaiting(context.db, openingWaits ? ['open'] : ['queued', 'open']);
  const quiet = quietInstants(instants, waiting);
  const [first] = instants as [Instant];
  const marks = marksAt.get(first.at.getTime());
  if (quiet === 0) {
    if (!openingWaits) {
      await cancelLimited(context, { ...snapshot, marketAt: first.at });
      await openQueued(context, snapshot, first, spreads);
    }
    await closeRequested(context, snapshot, first, spreads, marks?.[0].candleAt);
  }
  if (marks !== undefined) {
    await followCoarse(context.db, snapshot.session.day, marks, spreads);
    return 1;
  }
  return followStops(context, snapshot, instants.slice(0, Math.max(1, quiet)));
}

/** @returns how many instants are processed: up to the first trigger */
async function followStops(
  { db }: Context,
  { session }: SessionSnapshot,
  instants: readonly Instant[],
): Promise<number> {
  const until = await followTicks(
    db,
    session.day,
    instants.flatMap(({ ticks }) => ticks),
  );
  return Math.max(1, instants.filter(({ at }) => at <= until).length);
}

/** Positions of the pending ticks within their candles. A candle in progress also needs its earlier ticks. */
async function readCandleMarks(
  context: Context,
  { session, followedUntil, marketAt }: SessionSnapshot,
): Promise<ReadonlyMap<number, Marks>> {
  const grain = await findCoarseGrain(context, context.db);
  if (grain === undefined) return new Map();
  const ticks = await listTicks(context.db, {
    after: earliestNeeded(grain, session.opensAt, followedUntil),
    upTo: marketAt,
  });
  const pending = candleMarks(ticks, grain).filter(({ at }) => at > followedUntil);
  return Map.groupBy(pending, ({ at }) => at.getTime()) as Map<number, [CandleMark, ...CandleMark[]]>;
}
