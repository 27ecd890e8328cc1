import type { Feed } from '#contract/market.ts';
import type { PastCandle } from '../core/past-candles.ts';
import type { Quote } from '../core/play-quotes.ts';

/** Where a live feed asks for prices. Every call goes over the network: never inside a transaction. */
export type LiveSource = {
  readonly kind: Extract<Feed['kind'], 'coingecko' | 'ccxt'>;
  /** What tells two sources of a kind apart, so that a database is not continued with another one. */
  readonly seed: string;
  /** Length of the candles made of its prices; long enough that its pace never makes them stale. */
  readonly stepSeconds: number;
  /** From one call for prices to the next. */
  readonly paceMs: number;
  /** From one coin's past to the next one's. */
  readonly pastPaceMs: number;
  /** How far back the past goes that a new database begins with. */
  readonly historyMs: number;
  /** The coins it has prices of. @throws SourceAway */
  readonly listSymbols: () => Promise<readonly string[]>;
  /** One price of each coin it has one of. @throws SourceAway */
  readonly listQuotes: (now: () => Date) => Promise<readonly Quote[]>;
  /**
   * What it knows of a coin's candles that lie in [fromMs, toMs), in the steps it has them in, oldest first in each;
   * of the feed's own step two days at most, from a quarter of an hour on. @throws SourceAway
   */
  readonly listPast: (symbol: string, fromMs: number, toMs: number) => Promise<readonly PastCandle[]>;
};

/** The source did not answer, or not with prices. Its message says in words of its own what came. */
export class SourceAway extends Error {
  /** How long the source asks to be left alone; null when it does not say. */
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
