import type { Config } from '#server/config.ts';
import type { FeedCandle } from './core/candle.ts';
import { openReplayFeed } from './replay-feed.ts';
import { openSimulatedFeed } from './simulated-feed.ts';

export type MarketConfig = Config['market'];

/**
 * Where prices come from. A feed knows nothing of the stored clock: it says what the candles of a stretch of market
 * time are, whenever it is asked, and always the same.
 */
export type PriceFeed = {
  readonly kind: MarketConfig['feed'];
  /** What tells two feeds of a kind apart, so that a database is not continued with another one. */
  readonly seed: string;
  readonly stepSeconds: number;
  /** The coins it has prices of. */
  readonly symbols: readonly string[];
  /** Where market time begins when a database is new. */
  readonly chooseStart: (realNow: Date) => Date;
  /** How far back the history of a market that starts at `startMs` goes. */
  readonly historyFrom: (startMs: number) => number;
  /** Where prices end; null when they do not. */
  readonly endsAt: Date | null;
  /** Candles of a coin that open in [fromMs, toMs), oldest first. */
  readonly listCandles: (symbol: string, fromMs: number, toMs: number) => readonly FeedCandle[];
};

const opened = new Map<string, Promise<PriceFeed>>();

/**
 * The configured feed; files are read once a process.
 * @throws BadConfig naming the variable, and for a recording the file and line
 */
export function openFeed(config: MarketConfig): Promise<PriceFeed> {
  const key = JSON.stringify([config.feed, config.seed, config.start, config.replayData]);
  const known = opened.get(key);
  if (known) return known;
  const opening = config.feed === 'replay' ? openReplayFeed(config) : Promise.try(openSimulatedFeed, config);
  opened.set(key, opening);
  // A folder that could not be read is read again the next time, when its fault may be mended.
  opening.catch(() => opened.delete(key));
  return opening;
}
