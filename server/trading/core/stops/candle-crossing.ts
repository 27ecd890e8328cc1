import { parsePrice } from '../fill-price.ts';
import type { Tick } from '../fills.ts';
import type { CandleMark } from './candle-marks.ts';
import { findCrossed, type StopCode, type StopLevels } from './find-crossed.ts';

/** An open position with stops, as far as the market was followed. */
export type WatchedPosition = {
  readonly levels: StopLevels;
  /** Marks after this instant can cross its stops. */
  readonly stopsSince: Date;
  /** The trailing stop counts from the mark of this instant on; null without one. */
  readonly trailingSince: Date | null;
  /** The highest mark since then in units of 10⁻¹² dollar; null before the first. */
  readonly highest: bigint | null;
};

export type CandleCrossing = { readonly at: Date; readonly cause: StopCode };

/**
 * The first crossing among coming marks of a coarse feed, by the rule of `trading.follow_coarse`: what the first extreme
 * of a candle crossed stands unless the second makes it a loss.
 *
 * Bought at 12:30, take-profit 110, stop-loss 95: 111 at 12:33:45 and 94 at 12:37:30 are a stop-loss of 12:37:30.
 */
export function findCandleCrossing(
  position: WatchedPosition,
  marks: readonly CandleMark[],
): CandleCrossing | undefined {
  const { trailingSince } = position;
  let highest = position.highest ?? 0n;
  let found: CandleCrossing | undefined;
  const withHigh = (mark: Tick | undefined): bigint => {
    if (mark === undefined || trailingSince === null || mark.at < trailingSince) return highest;
    const price = parsePrice(mark.price);
    return price > highest ? price : highest;
  };
  for (const mark of marks) {
    if (found !== undefined && mark.first === undefined) return found;
    highest = withHigh(mark.passed);
    if (mark.at > position.stopsSince) found = look(position, mark, highest, withHigh(mark.first)) ?? found;
    if (mark.stage === 'first') continue;
    highest = withHigh(mark.first);
    highest = withHigh(mark);
  }
  return found;
}

/** @param highestThen with the first extreme, where there is one */
function look(
  { levels, stopsSince }: WatchedPosition,
  mark: CandleMark,
  highest: bigint,
  highestThen: bigint,
): CandleCrossing | undefined {
  const { first } = mark;
  const price = parsePrice(mark.price);
  if (first === undefined || first.at <= stopsSince) {
    const only = { low: price, high: price };
    const crossed = findCrossed(levels, only, highest) ?? findCrossed(levels, only, highestThen);
    return crossed === null ? undefined : { at: mark.at, cause: crossed.code };
  }
  const other = parsePrice(first.price);
  const [low, high] = other <= price ? [first, mark] : [mark, first];
  const crossed = findCrossed(levels, { low: parsePrice(low.price), high: parsePrice(high.price) }, highest);
  if (crossed === null) return undefined;
  const isByHigh = crossed.code === 'take_profit' && parsePrice(low.price) < crossed.mark;
  return { at: isByHigh ? high.at : low.at, cause: crossed.code };
}
