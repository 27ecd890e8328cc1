import { parsePrice } from '../fill-price.ts';
import { type StopPermilles, stopLossPrice, takeProfitPrice } from './stops.ts';

/** Stops of one open position; marks in units of 10⁻¹² dollar, null where the member set none. */
export type StopLevels = {
  readonly stopLoss: bigint | null;
  readonly takeProfit: bigint | null;
  readonly trailingPermille: bigint | null;
};

export const hasStops = (stops: StopPermilles): boolean =>
  stops.stopLoss !== null || stops.takeProfit !== null || stops.trailingStop !== null;

/** The levels of a position by its open price, as live ones have them (`stops.ts`). */
export const stopLevels = (openPrice: string, stops: StopPermilles): StopLevels => ({
  stopLoss: stops.stopLoss === null ? null : parsePrice(stopLossPrice(openPrice, stops.stopLoss)),
  takeProfit: stops.takeProfit === null ? null : parsePrice(takeProfitPrice(openPrice, stops.takeProfit)),
  trailingPermille: stops.trailingStop === null ? null : BigInt(stops.trailingStop),
});

export type StopCode = 'stop_loss' | 'take_profit' | 'trailing_stop';

/** A stop that was crossed, and the mark it is sold at or under: its level, or a price that had jumped over it. */
export type Crossed = { readonly code: StopCode; readonly mark: bigint };

/**
 * Which stop is crossed between a low and a high, of which nobody knows the order, or null. The worse order counts: of a loss
 * and a profit the loss; a trailing stop against the highest mark before, else against the high, as if the high had come first.
 * When it and the stop-loss are crossed at once, the stop-loss is named.
 *
 * Highest 110, trailing 5 %: a low of 104.5 crosses at 104.5, 104.51 does not; with a high of 112 in between it does, at 106.4.
 */
export function findCrossed(
  levels: StopLevels,
  { low, high }: { readonly low: bigint; readonly high: bigint },
  highest: bigint,
): Crossed | null {
  const { stopLoss, takeProfit, trailingPermille } = levels;
  const trail = (top: bigint): Crossed | null =>
    trailingPermille !== null && low * 1000n <= top * (1000n - trailingPermille)
      ? { code: 'trailing_stop', mark: (top * (1000n - trailingPermille) + 500n) / 1000n }
      : null;
  if (stopLoss !== null && low <= stopLoss) return { code: 'stop_loss', mark: stopLoss };
  const before = trail(highest);
  if (before !== null) return before;
  if (takeProfit !== null && high >= takeProfit) return { code: 'take_profit', mark: takeProfit };
  return high > highest ? trail(high) : null;
}
