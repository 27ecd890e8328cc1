import { strategyCandleMinutes } from '#contract/trading/strategy.ts';
import type { Tick } from './fills.ts';
import type { SessionWindow } from './session-window.ts';

export type Spreads = ReadonlyMap<string, number>;

/** All prices of one instant of market time, in the order of the assets. */
export type Instant = { readonly kind: 'tick'; readonly at: Date; readonly ticks: readonly Tick[] };
/** The end of a quarter of an hour: strategies look at the candles that are closed now. */
export type Boundary = { readonly kind: 'boundary'; readonly at: Date };
/** Trading is halted: what is queued and was asked for before an instant is given back. */
export type Halting = { readonly kind: 'halt'; readonly at: Date; readonly requestedBefore: Date };
export type SessionEvent = Instant | Boundary | Halting;

const STEP_MS = strategyCandleMinutes * 60_000;

/**
 * What happens in a stretch of a session, in its order. A boundary comes before a tick of the same instant: a strategy
 * decides on candles that are closed, and the tick that begins the next one fills what it decided. A tick at the very
 * moment of the close does not belong to the session any more, and the close decides nothing. A halt comes after what was in
 * the market when it began.
 *
 * Followed and decided until 12:44:50, market time 12:45:10, ticks at 12:45:00: the boundary of 12:45:00, then its ticks.
 *
 * @param ticks of the stretch, in time order
 */
export function sessionEvents(
  ticks: readonly Tick[],
  window: SessionWindow,
  stretch: { readonly decidedUntil: Date | null; readonly marketAt: Date; readonly halts: readonly HaltedPeriod[] },
): SessionEvent[] {
  return [...boundaries(window, stretch), ...instants(ticks, window), ...haltings(stretch)].sort(
    (one, other) => one.at.getTime() - other.at.getTime() || order[one.kind] - order[other.kind],
  );
}

const order = { boundary: 0, tick: 1, halt: 2 } as const;

function boundaries(
  { opensAt, closesAt }: SessionWindow,
  { decidedUntil, marketAt }: { readonly decidedUntil: Date | null; readonly marketAt: Date },
): Boundary[] {
  const found: Boundary[] = [];
  const lastMs = Math.min(marketAt.getTime(), closesAt.getTime() - 1);
  for (let atMs = opensAt.getTime(); atMs <= lastMs; atMs += STEP_MS) {
    if (decidedUntil === null || atMs > decidedUntil.getTime()) found.push({ kind: 'boundary', at: new Date(atMs) });
  }
  return found;
}

/** Of a halt that stands, all that was asked for before now: it may be lifted at this very instant. */
export const haltings = ({
  halts,
  marketAt,
}: {
  readonly halts: readonly HaltedPeriod[];
  readonly marketAt: Date;
}): Halting[] =>
  halts.map(({ startsAt, endsAt }) => ({
    kind: 'halt',
    at: startsAt,
    requestedBefore: endsAt ?? marketAt,
  }));

function instants(ticks: readonly Tick[], { opensAt, closesAt }: SessionWindow): Instant[] {
  const byTime = new Map<number, Tick[]>();
  for (const tick of ticks) {
    if (tick.at < opensAt || tick.at >= closesAt) continue;
    const known = byTime.get(tick.at.getTime());
    if (known) known.push(tick);
    else byTime.set(tick.at.getTime(), [tick]);
  }
  return [...byTime].map(([atMs, all]) => ({ kind: 'tick', at: new Date(atMs), ticks: all }));
}

/** A stretch of market time in which operators halt trading; `endsAt` is null while nobody lifted it. */
export type HaltedPeriod = { readonly startsAt: Date; readonly endsAt: Date | null };

/**
 * Whether ticks and decisions of an instant open nothing. What was in the market when trading was halted had happened by
 * then; what was in it when the halt was lifted came while it stood.
 *
 * Halted at 13:00:10 and lifted at 13:20:00: ticks of 13:00:10 still open, those of 13:00:15 and of 13:20:00 do not, those of
 * 13:20:05 do.
 */
export const isHaltedAt = (halts: readonly HaltedPeriod[], at: Date): boolean =>
  halts.some(({ startsAt, endsAt }) => at > startsAt && (endsAt === null || at <= endsAt));

/**
 * How many of the first instants fill nothing: none of their ticks is of an asset for which a trade waits since before.
 *
 * Ticks of btc and eth at 12:45:00 and of btc at 12:45:15, one trade waiting for eth since 12:45:10: both are quiet.
 */
export function quietInstants(
  instants: readonly Instant[],
  waiting: readonly { readonly symbol: string; readonly since: Date }[],
): number {
  if (waiting.length === 0) return instants.length;
  const sinceOf = new Map(waiting.map(({ symbol, since }) => [symbol, since]));
  const busy = instants.findIndex(({ at, ticks }) =>
    ticks.some(({ symbol }) => (sinceOf.get(symbol)?.getTime() ?? Number.POSITIVE_INFINITY) < at.getTime()),
  );
  return busy === -1 ? instants.length : busy;
}
