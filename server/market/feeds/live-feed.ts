import type { Quote } from '../core/play-quotes.ts';
import type { LiveSource } from './live-source.ts';

/**
 * A feed of prices known only as they arrive. The poller puts them into `quotes`, and the engine takes them with its
 * next step. When the process ends, only quotes pending between two steps are lost.
 */
export type LiveFeed = Pick<LiveSource, 'kind' | 'seed' | 'stepSeconds'> & {
  readonly isLive: true;
  readonly source: LiveSource;
  readonly quotes: WaitingQuotes;
  readonly polling: Polling;
};

export type WaitingQuotes = {
  /** Adds quotes. A repeated quote is ignored. */
  readonly put: (quotes: readonly Quote[]) => void;
  readonly list: () => readonly Quote[];
  /** Removes quotes that the engine has processed, or that newer ones replace while it waits. */
  readonly remove: (judged: readonly Quote[]) => void;
};

/** State of the poller: when to call next, and which history is still missing. */
export type Polling = {
  quotesPause: Pause;
  pastPause: Pause;
  /** Consecutive failed calls for prices. */
  failures: number;
  /** Coins without a price at the last call, as logged. */
  missing: string;
  /** When prices last arrived in this process; null before the first. */
  lastCameMs: number | null;
  readonly gaps: Map<string, PastGap>;
};

/** No call in [fromMs, untilMs). An earlier time means that the computer's clock was wrong when it began. */
export type Pause = { readonly fromMs: number; readonly untilMs: number };

/** Missing history of a coin, consecutive failures to read it, and when to retry. */
export type PastGap = { readonly fromMs: number; readonly failures: number; readonly nextAtMs: number };

export function openLiveFeed(source: LiveSource): LiveFeed {
  const { kind, seed, stepSeconds } = source;
  const polling: Polling = {
    quotesPause: { fromMs: 0, untilMs: 0 },
    pastPause: { fromMs: 0, untilMs: 0 },
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
