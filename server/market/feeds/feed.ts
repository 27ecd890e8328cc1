import { symbols } from '#contract/rules.ts';
import { BadConfig } from '#server/config.ts';
import { simulatedStartMs } from '../core/market-start.ts';
import { createRandomMarket, firstMarketDayMs } from '../core/random-market.ts';
import { openCoingeckoSource } from './coingecko-source.ts';
import { openExchangeSource } from './exchange-source.ts';
import { type LiveFeed, openLiveFeed } from './live-feed.ts';
import type { MarketConfig, RecordedFeed } from './recorded-feed.ts';
import { openReplayFeed } from './replay-feed.ts';

/** A source of prices: known for all market time, or arriving live. */
export type PriceFeed = RecordedFeed | LiveFeed;

type RecordedConfig = Omit<MarketConfig, 'feed' | 'coingecko' | 'exchange'> & { readonly feed: RecordedFeed['kind'] };

const openers: Readonly<Record<MarketConfig['feed'], (config: MarketConfig) => Promise<PriceFeed>>> = {
  simulated: (config) => Promise.try(openSimulatedFeed, config),
  replay: openReplayFeed,
  coingecko: async (config) => openLiveFeed(openCoingeckoSource(config.coingecko)),
  ccxt: async (config) => openLiveFeed(await openExchangeSource(config.exchange)),
};

const opened = new Map<string, Promise<PriceFeed>>();

/**
 * The configured feed; files are read and exchanges opened once per process. Makes no network calls.
 *
 * @throws BadConfig naming the variable, and for a recording the file and line
 */
export function openFeed(config: RecordedConfig): Promise<RecordedFeed>;
export function openFeed(config: MarketConfig): Promise<PriceFeed>;
export function openFeed(config: MarketConfig | RecordedConfig): Promise<PriceFeed> {
  // The speed belongs to the clock.
  const key = JSON.stringify({ ...config, speed: undefined });
  const known = opened.get(key);
  if (known) return known;
  const opening = openers[config.feed](config as MarketConfig);
  opened.set(key, opening);
  // A failed folder is read again the next time, after its fault may have been fixed.
  opening.catch(() => opened.delete(key));
  return opening;
}

const HISTORY_MS = 90 * 86_400_000;

/**
 * The embedded default: a seeded random market without an end.
 *
 * @throws BadConfig when MARKET_START is so early that its history would precede the market
 */
function openSimulatedFeed(config: Pick<MarketConfig, 'start' | 'seed'>): RecordedFeed {
  // History starts at a midnight, up to a day earlier.
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
