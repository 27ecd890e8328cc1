import { type RecordedCandle, still } from '#test/recorded/recorded-market.ts';
import { openWorldOfTest } from '#test/worlds/trading-world.ts';
import type { NewTradeInput } from '../orders/place-trade.ts';

/** Prices of btc by the minute, each until the next one named; eth stands still at 50. */
type Prices = Readonly<Record<string, RecordedCandle>>;

/** A member with 10 000 dollars who trades btc, ten minutes before an opening. */
export async function openStopsWorld(prices: Prices) {
  const minutes = Object.keys(prices).sort();
  const world = await openWorldOfTest({
    minutes: 6 * 60,
    candle: (symbol, at) => {
      if (symbol === 'eth') return still('50');
      const time = at.toISOString().slice(11, 16);
      const named = minutes.findLast((minute) => minute <= time);
      if (named === undefined) return still('100');
      const candle = prices[named] as RecordedCandle;
      return named === time ? candle : still(candle?.[3] as string);
    },
    speed: 600,
    dollars: 10_000,
  });
  return { ...world, place: async (input?: Partial<NewTradeInput>) => BigInt((await world.place(input)).id) };
}
