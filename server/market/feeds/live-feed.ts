import type { Quote } from '../core/play-quotes.ts';
import type { LiveSource } from './live-source.ts';

/**
 * A feed of prices that are known only when they come. The poller asks the source and puts what it said into `quotes`;
 * the engine takes it from there with its next step. What stands here between two steps is lost when the process ends,
 * and nothing but a few prices with it.
 */
export type LiveFeed = Pick<LiveSource, 'kind' | 'seed' | 'stepSeconds'> & {
  readonly isLive: true;
  readonly source: LiveSource;
  readonly quotes: WaitingQuotes;
  readonly polling: Polling;
};

export type WaitingQuotes = {
  /** Adds what the source said. The same quote a second time is no news. */
  readonly put: (quotes: readonly Quote[]) => void;
  readonly list: () => readonly Quote[];
  /** Forgets quotes that the engine has judged. */
  readonly remove: (judged: readonly Quote[]) => void;
};

/** Where the poller stands: when it may ask again, and whose past it still has to read. */
export type Polling = {
  nextQuotesAtMs: number;
  nextPastAtMs: number;
  /** Calls for prices in a row that failed. */
  failures: number;
  /** Coins that had no price at the last call, as it was logged. */
  missing: string;
  /** When prices last came in this process; null before the first. */
  lastCameMs: number | null;
  readonly gaps: Map<string, PastGap>;
};

/** What is missing of a coin's past, how often in a row it could not be read, and when to ask again. */
export type PastGap = { readonly fromMs: number; readonly failures: number; readonly nextAtMs: number };

export function openLiveFeed(source: LiveSource): LiveFeed {
  const { kind, seed, stepSeconds } = source;
  const polling: Polling = {
    nextQuotesAtMs: 0,
    nextPastAtMs: 0,
    failures: 0,
    missing: '',
    lastCameMs: null,
    gaps: new Map(),
  };
  return { isLive: true, kind, seed, stepSeconds, source, quotes: waitForEngine(), polling };
}

function waitForEngine(): WaitingQuotes {
  let waiting: Quote[] = [];
  const lastAtMs = new Map<string, number>();
  return {
    put: (quotes) => {
      const news = quotes.filter(({ symbol, atMs }) => lastAtMs.get(symbol) !== atMs);
      for (const { symbol, atMs } of news) lastAtMs.set(symbol, atMs);
      waiting.push(...news);
    },
    list: () => [...waiting],
    remove: (judged) => {
      waiting = waiting.filter((quote) => !judged.includes(quote));
    },
  };
}
