import { strategyCandleMinutes } from '#contract/trading/strategy.ts';
import type { Tick } from './fills.ts';
import type { SessionWindow } from './session-window.ts';

export type Spreads = ReadonlyMap<string, number>;

/** All prices of one instant of market time, in the order of the assets. */
export type Instant = { readonly kind: 'tick'; readonly at: Date; readonly ticks: readonly Tick[] };
/** The end of a quarter of an hour: strategies evaluate the candles closed by now. */
export type Boundary = { readonly kind: 'boundary'; readonly at: Date };
/** Trading is halted: queued trades requested before an instant are cancelled. */
export type Halting = { readonly kind: 'halt'; readonly at: Date; readonly requestedBefore: Date };
export type SessionEvent = Instant | Boundary | Halting;

const STEP_MS = strategyCandleMinutes * 60_000;

/**
 * Events of a period of a session, in order. A boundary precedes a tick at the same instant: a strategy decides on
 * closed candles, and the tick that starts the next candle fills its decision. A tick at the exact close no longer
 * belongs to the session, and there is no boundary at the close. A halt follows everything at the instant it started.
 *
 * Processed and decided until 12:44:50, market time 12:45:10, ticks at 12:45:00: the boundary of 12:45:00, then its
 * ticks.
 *
 * @param ticks of the period, in time order
 */
export function sessionEvents(
  ticks: readonly Tick[],
  window: SessionWindow,
  period: { readonly decidedUntil: Date | null; readonly marketAt: Date; readonly halts: readonly HaltedPeriod[] },
): SessionEvent[] {
  return [...boundaries(window, period), ...instants(ticks, window), ...haltings(period)].sort(
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

/** A halt in force cancels all requests before now, because it may be lifted at this very instant. */
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
  const inSession = ticks.filter(({ at }) => at >= opensAt && at < closesAt);
  return [...Map.groupBy(inSession, ({ at }) => at.getTime())].map(([atMs, all]) => ({
    kind: 'tick',
    at: new Date(atMs),
    ticks: all,
  }));
}

/** A period of market time in which operators halt trading; `endsAt` is null while the halt is in force. */
export type HaltedPeriod = { readonly startsAt: Date; readonly endsAt: Date | null };

/**
 * Whether ticks and decisions at an instant open nothing. An instant at which trading was halted precedes the halt; one
 * at which the halt was lifted still falls under it.
 *
 * Halted at 13:00:10 and lifted at 13:20:00: ticks of 13:00:10 still open, those of 13:00:15 and of 13:20:00 do not,
 * those of 13:20:05 do.
 */
export const isHaltedAt = (halts: readonly HaltedPeriod[], at: Date): boolean =>
  halts.some(({ startsAt, endsAt }) => at > startsAt && (endsAt === null || at <= endsAt));

/**
 * How many of the first instants fill nothing: no tick in an asset with a trade waiting since before the tick.
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
