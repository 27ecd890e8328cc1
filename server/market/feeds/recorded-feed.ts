import type { Config } from '#server/config.ts';
import type { FeedCandle } from '../core/candle.ts';

export type MarketConfig = Config['market'];

/**
 * A feed of known prices knows nothing of the stored clock: it says what the candles of a stretch of market time are,
 * whenever it is asked, and always the same.
 */
export type RecordedFeed = {
  readonly isLive: false;
  readonly kind: 'simulated' | 'replay';
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
