import type { Config } from '#server/config.ts';
import type { FeedCandle } from '../core/candle.ts';

export type MarketConfig = Config['market'];

/**
 * A feed of known prices is independent of the stored clock: it always returns the same candles for a period of market
 * time.
 */
export type RecordedFeed = {
  readonly isLive: false;
  readonly kind: 'simulated' | 'replay';
  /** Distinguishes feeds of one kind, so that a database is not continued with a different one. */
  readonly seed: string;
  readonly stepSeconds: number;
  /** Coins with prices. */
  readonly symbols: readonly string[];
  /** Start of market time in a new database. */
  readonly chooseStart: (realNow: Date) => Date;
  /** Start of the history of a market that starts at `startMs`. */
  readonly historyFrom: (startMs: number) => number;
  /** End of prices; null without an end. */
  readonly endsAt: Date | null;
  /** Candles of a coin that open in [fromMs, toMs), oldest first. */
  readonly listCandles: (symbol: string, fromMs: number, toMs: number) => readonly FeedCandle[];
};
