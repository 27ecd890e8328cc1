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
import { cancelForbidden, cancelHalted } from './cancel-trades.ts';
import { openQueued } from './open-due-trades.ts';
import type { SessionSnapshot } from './session-sql.ts';
import { closeRequested } from './settle-due-trades.ts';

/**
 * Plays an open session instant by instant, so that results do not depend on how often the market is followed: at each
 * quarter of an hour strategies decide; each tick opens what was requested before it, sells what was to be closed, and
 * is checked against stops. Instants that fill nothing are followed together; on a coarse feed they are followed one by
 * one. While trading is halted, nothing opens. At an exchange nothing is filled here: its batches do that (`executeBatches`).
 */
export async function playSession(context: Context, snapshot: SessionSnapshot): Promise<void> {
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
      next += await playInstants(context, snapshot, instants, {
        spreads,
        marksAt,
        openingWaits: isHalted,
      });
    }
  }
}

/** The instants up to the next boundary or halt, and to the first that is not like the first. */
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

type Playing = {
  readonly spreads: Spreads;
  /** By the millisecond of their instant, on a coarse feed; none on others. */
  readonly marksAt: ReadonlyMap<number, Marks>;
  readonly openingWaits: boolean;
};
type Marks = readonly [CandleMark, ...CandleMark[]];

/** @returns how many of the instants are done: at least one, and all up to the first at which something was triggered */
async function playInstants(
  context: Context,
  snapshot: SessionSnapshot,
  instants: readonly Instant[],
  { spreads, marksAt, openingWaits }: Playing,
): Promise<number> {
  if (context.config.venue === 'ccxt') return followStops(context, snapshot, instants);
  const waiting = await listWaiting(context.db, openingWaits ? ['open'] : ['queued', 'open']);
  const quiet = quietInstants(instants, waiting);
  const [first] = instants as [Instant];
  const marks = marksAt.get(first.at.getTime());
  if (quiet === 0) {
    if (!openingWaits) await openQueued(context, snapshot, first, spreads);
    await closeRequested(context, snapshot, first, spreads, marks?.[0].candleAt);
  }
  if (marks !== undefined) {
    await followCoarse(context.db, snapshot.session.day, marks, spreads);
    return 1;
  }
  return followStops(context, snapshot, instants.slice(0, Math.max(1, quiet)));
}

/** @returns how many of the instants are followed: up to the first at which something was triggered */
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

/** Where in their candles the ticks to be followed are; a candle already begun needs its earlier ticks. */
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
  const coming = candleMarks(ticks, grain).filter(({ at }) => at > followedUntil);
  return Map.groupBy(coming, ({ at }) => at.getTime()) as Map<number, [CandleMark, ...CandleMark[]]>;
}
