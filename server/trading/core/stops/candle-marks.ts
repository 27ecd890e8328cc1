import type { Tick } from '../fills.ts';

/**
 * A price of a coarse feed and its place in its candle: it opens one, is the first or the second of its extremes, or its
 * close. A quote opens a candle of its own.
 */
export type CandleMark = Tick & {
  readonly stage: 'open' | 'first' | 'second' | 'close';
  readonly candleAt: Date;
  /** Of a second extreme the first. */
  readonly first: Tick | undefined;
  /** A first extreme that came right before, and whose second never came: it is only remembered now. */
  readonly passed: Tick | undefined;
};

/** How prices of feeds coarser than a minute come (`getGrain`). */
export type CoarseGrain = { readonly kind: 'quotes' } | { readonly kind: 'candles'; readonly stepMs: number };

const stages = ['open', 'first', 'second', 'close'] as const;

/**
 * Candles of 15 minutes: 12:30:00 opens one, 12:33:45 and 12:37:30 are its extremes, 12:41:15 is its close (`tickPath`).
 *
 * @param ticks in time order, from the candle before the first that matters on
 */
export function candleMarks(ticks: readonly Tick[], grain: CoarseGrain): CandleMark[] {
  const lastOf = new Map<string, CandleMark>();
  return ticks.map((tick) => {
    const last = lastOf.get(tick.symbol);
    const { stage, candleAt } = placeOf(tick.at, grain);
    const earlier = last?.stage === 'first' ? last : undefined;
    const isPair = stage === 'second' && earlier?.candleAt.getTime() === candleAt.getTime();
    const mark = {
      ...tick,
      ...{ stage, candleAt },
      ...{ first: isPair ? earlier : undefined, passed: isPair ? undefined : earlier },
    };
    lastOf.set(tick.symbol, mark);
    return mark;
  });
}

/** The candle an instant lies in, and where. */
export function placeOf(at: Date, grain: CoarseGrain): Pick<CandleMark, 'stage' | 'candleAt'> {
  if (grain.kind === 'quotes') return { stage: 'open', candleAt: at };
  const into = at.getTime() % grain.stepMs;
  const stage = stages[Math.floor((into * stages.length) / grain.stepMs)] as CandleMark['stage'];
  return { stage, candleAt: new Date(at.getTime() - into) };
}

/**
 * After which instant the ticks begin that tell the places of all after `followedUntil`: a candle that was begun, and the
 * one before it. What came before the session concerns nobody in it.
 */
export function earliestNeeded(grain: CoarseGrain, opensAt: Date, followedUntil: Date): Date {
  const back = grain.kind === 'quotes' ? 0 : 2 * grain.stepMs;
  return new Date(Math.max(followedUntil.getTime() - back, Math.min(followedUntil.getTime(), opensAt.getTime() - 1)));
}
