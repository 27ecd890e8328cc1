import type { Tick } from '../fills.ts';
import { parsePrice } from '../price.ts';
import { findTriggered, type StopCode, type StopLevels } from './stops.ts';

/** A price of a coarse feed and its place in its candle. A quote is a candle of its own. */
export type CandleMark = Tick & {
  readonly stage: 'open' | 'first' | 'second' | 'close';
  readonly candleAt: Date;
  /** For a second extreme, the first one. */
  readonly first: Tick | undefined;
  /** An earlier first extreme whose second never came; it only raises the high. */
  readonly passed: Tick | undefined;
};

/** How prices of feeds coarser than a minute arrive (`getGrain`). */
export type CoarseGrain = { readonly kind: 'quotes' } | { readonly kind: 'candles'; readonly stepMs: number };

const stages = ['open', 'first', 'second', 'close'] as const;

/**
 * Assigns ticks to candles. For 15-minute candles 12:30:00 is an open, 12:33:45 and 12:37:30 are the extremes, 12:41:15
 * is the close (`tickPath`).
 *
 * @param ticks in time order, starting with the candle before the first relevant one
 */
export function candleMarks(ticks: readonly Tick[], grain: CoarseGrain): CandleMark[] {
  const lastOf = new Map<string, CandleMark>();
  return ticks.map((tick) => {
    const last = lastOf.get(tick.symbol);
    const { stage, candleAt } = locateInCandle(tick.at, grain);
    const earlier = last?.stage === 'first' ? last : undefined;
    const isPair = stage === 'second' && earlier?.candleAt.getTime() === candleAt.getTime();
    const mark = {
      ...tick,
      stage,
      candleAt,
      first: isPair ? earlier : undefined,
      passed: isPair ? undefined : earlier,
    };
    lastOf.set(tick.symbol, mark);
    return mark;
  });
}

/** The candle that contains an instant, and the place within it. */
export function locateInCandle(at: Date, grain: CoarseGrain): Pick<CandleMark, 'stage' | 'candleAt'> {
  if (grain.kind === 'quotes') return { stage: 'open', candleAt: at };
  const offsetMs = at.getTime() % grain.stepMs;
  const stage = stages[Math.floor((offsetMs * stages.length) / grain.stepMs)] as CandleMark['stage'];
  return { stage, candleAt: new Date(at.getTime() - offsetMs) };
}

/**
 * The instant after which ticks are needed to place all those after `followedUntil`: from a candle in progress and the
 * one before it. Ticks before the session are irrelevant.
 */
export function earliestNeeded(grain: CoarseGrain, opensAt: Date, followedUntil: Date): Date {
  const back = grain.kind === 'quotes' ? 0 : 2 * grain.stepMs;
  return new Date(Math.max(followedUntil.getTime() - back, Math.min(followedUntil.getTime(), opensAt.getTime() - 1)));
}

/** An open position with stops, as of the last processed mark. */
export type WatchedPosition = {
  readonly levels: StopLevels;
  /** Marks after this instant can trigger its stops. */
  readonly stopsSince: Date;
  /** The trailing stop counts from the mark of this instant on; null without one. */
  readonly trailingSince: Date | null;
  /** The highest mark since then in units of 10⁻¹² dollar; null before the first. */
  readonly highest: bigint | null;
};

export type CandleTrigger = { readonly at: Date; readonly cause: StopCode };

/**
 * The first trigger among unprocessed marks of a coarse feed, by the rule of `trading.follow_coarse`: a trigger at the
 * first extreme of a candle stands unless the second one makes it a loss.
 *
 * Bought at 12:30, take-profit 110, stop-loss 95: 111 at 12:33:45 and 94 at 12:37:30 are a stop-loss of 12:37:30.
 */
export function findCandleTrigger(position: WatchedPosition, marks: readonly CandleMark[]): CandleTrigger | undefined {
  const { trailingSince } = position;
  let highest = position.highest ?? 0n;
  let found: CandleTrigger | undefined;
  const withHigh = (mark: Tick | undefined): bigint => {
    if (mark === undefined || trailingSince === null || mark.at < trailingSince) return highest;
    const price = parsePrice(mark.price);
    return price > highest ? price : highest;
  };
  for (const mark of marks) {
    if (found !== undefined && mark.first === undefined) return found;
    highest = withHigh(mark.passed);
    if (mark.at > position.stopsSince) found = findTriggerAt(position, mark, highest, withHigh(mark.first)) ?? found;
    if (mark.stage === 'first') continue;
    highest = withHigh(mark.first);
    highest = withHigh(mark);
  }
  return found;
}

/** @param highestThen including the first extreme, if any */
function findTriggerAt(
  { levels, stopsSince }: WatchedPosition,
  mark: CandleMark,
  highest: bigint,
  highestThen: bigint,
): CandleTrigger | undefined {
  const { first } = mark;
  const price = parsePrice(mark.price);
  if (first === undefined || first.at <= stopsSince) {
    const only = { low: price, high: price };
    const triggered = findTriggered(levels, only, highest) ?? findTriggered(levels, only, highestThen);
    return triggered === null ? undefined : { at: mark.at, cause: triggered.code };
  }
  const other = parsePrice(first.price);
  const [low, high] = other <= price ? [first, mark] : [mark, first];
  const triggered = findTriggered(levels, { low: parsePrice(low.price), high: parsePrice(high.price) }, highest);
  if (triggered === null) return undefined;
  const isByHigh = triggered.code === 'take_profit' && parsePrice(low.price) < triggered.mark;
  return { at: isByHigh ? high.at : low.at, cause: triggered.code };
}
