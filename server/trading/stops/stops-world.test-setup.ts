import { bootTest } from '#test/boot.ts';
import { giveFunds, signUp } from '#test/members.ts';
import { playUntil, type RecordedCandle, recordMarket, still } from '#test/recorded-market.ts';
import { followMarket, listTrades, placeTrade } from '../index.ts';
import type { NewTradeInput } from '../orders/place-trade.ts';

const cleanUps: (() => unknown)[] = [];

/** Of every file after each of its tests: modules are shared by files, hooks are not. */
export async function closeStopsWorlds(): Promise<void> {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
}

const day = (time: string) => new Date(`2026-03-04T${time}Z`);

/** Prices of btc by the minute, each until the next one named; eth stands still at 50. */
export type Prices = Readonly<Record<string, RecordedCandle>>;

/** A member with 10 000 dollars who trades btc, ten minutes before an opening. */
export async function openStopsWorld(prices: Prices, speed = '600') {
  const minutes = Object.keys(prices).sort();
  const made = recordMarket({
    from: '2026-03-04T12:00:00Z',
    minutes: 6 * 60,
    symbols: ['btc', 'eth'],
    candle: (symbol, at) => {
      if (symbol === 'eth') return still('50');
      const time = at.toISOString().slice(11, 16);
      const named = minutes.findLast((minute) => minute <= time);
      if (named === undefined) return still('100');
      const candle = prices[named] as RecordedCandle;
      return named === time ? candle : still(candle?.[3] as string);
    },
  });
  const { context, database } = await bootTest({
    MARKET_FEED: 'replay',
    REPLAY_DATA: made.folder,
    MARKET_START: '2026-03-04T12:20:00Z',
    MARKET_SPEED: speed,
  });
  cleanUps.push(() => database.close(), made.remove);
  const { memberId } = await signUp(context);
  await giveFunds(context, memberId, 10_000_000_000n);
  return {
    context,
    memberId,
    place: async (input: Partial<NewTradeInput> = {}) =>
      BigInt(
        (await placeTrade(context, memberId, { tradeId: 'btc', amount: 100, wallet_type: 'primary', ...input })).id,
      ),
    play: (time: string) => playUntil(context, day(time), () => followMarket(context)),
    trade: async (id: bigint) =>
      (await listTrades(context.db, { memberId, limit: 100 })).items.find((trade) => trade.id === id.toString()),
  };
}
