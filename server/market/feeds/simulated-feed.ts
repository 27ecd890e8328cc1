import { symbols } from '#contract/rules.ts';
import { BadConfig } from '#server/config.ts';
import { simulatedStartMs } from '../core/market-start.ts';
import { createRandomMarket, firstMarketDayMs } from '../core/random-market.ts';
import type { MarketConfig, RecordedFeed } from './feed.ts';

const HISTORY_MS = 90 * 86_400_000;

/**
 * The embedded default: a seeded random market without an end.
 * @throws BadConfig when MARKET_START is so early that its history would begin before the market does
 */
export function openSimulatedFeed(config: Pick<MarketConfig, 'start' | 'seed'>): RecordedFeed {
  // History begins at a midnight, up to a day before.
  const earliestMs = firstMarketDayMs + HISTORY_MS + 86_400_000;
  if (config.start !== undefined && config.start.getTime() < earliestMs) {
    throw new BadConfig(`MARKET_START: the simulated market can start from ${new Date(earliestMs).toISOString()} on`);
  }
  return {
    isLive: false,
    kind: 'simulated',
    seed: config.seed,
    stepSeconds: 60,
    symbols,
    chooseStart: (realNow) => config.start ?? new Date(simulatedStartMs(realNow.getTime())),
    historyFrom: (startMs) => startMs - HISTORY_MS,
    endsAt: null,
    listCandles: createRandomMarket(config.seed).listMinutes,
  };
}
