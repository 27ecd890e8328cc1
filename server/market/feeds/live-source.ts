import type { Feed } from '#contract/market.ts';
import type { PastCandle } from '../core/past-candles.ts';
import type { Quote } from '../core/play-quotes.ts';

/** A source of live prices. Every call uses the network: never inside a transaction. */
export type LiveSource = {
  readonly kind: Extract<Feed['kind'], 'coingecko' | 'ccxt'>;
  /** Distinguishes sources of one kind, so that a database is not continued with a different one. */
  readonly seed: string;
  /** Length of the candles built from its prices; long enough that its pace never makes them stale. */
  readonly stepSeconds: number;
  /** Interval between calls for prices. */
  readonly paceMs: number;
  /** Interval between calls for coins' history. */
  readonly pastPaceMs: number;
  /** Length of the history with which a new database starts. */
  readonly historyMs: number;
  /** The coins it has prices of. @throws SourceAway */
  readonly listSymbols: () => Promise<readonly string[]>;
  /** One price of each coin it has one of. @throws SourceAway */
  readonly listQuotes: (now: () => Date) => Promise<readonly Quote[]>;
  /**
   * The source's candles of a coin in [fromMs, toMs), in each step that it offers, oldest first within a step; of the
   * feed's own step at most the last two days, from a quarter of an hour on. @throws SourceAway
   */
  readonly listPast: (symbol: string, fromMs: number, toMs: number) => Promise<readonly PastCandle[]>;
};

/** The source did not answer, or not with prices. The message says what was received. */
export class SourceAway extends Error {
  /** How long the source asked us to wait; null when not stated. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** `retry-after` as seconds or a date, in milliseconds from now; null when it is neither. */
export function readRetryAfterMs(header: string | null | undefined, now: Date): number | null {
  if (!header) return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
