import { parsePrice } from './fill-price.ts';
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

/**
 * Which stop a mark crosses, or null. The trailing one is measured from the highest mark since the opening tick, this
 * mark included; when it and the stop-loss are crossed at once, the stop-loss is named.
 *
 * Highest 110, trailing 5 %: 104.5 crosses, 104.51 does not.
 */
export function findCrossed(
  levels: StopLevels,
  mark: bigint,
  highest: bigint,
): 'stop_loss' | 'take_profit' | 'trailing_stop' | null {
  if (levels.stopLoss !== null && mark <= levels.stopLoss) return 'stop_loss';
  if (levels.takeProfit !== null && mark >= levels.takeProfit) return 'take_profit';
  if (levels.trailingPermille !== null && mark * 1000n <= highest * (1000n - levels.trailingPermille))
    return 'trailing_stop';
  return null;
}
