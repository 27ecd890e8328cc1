import type { Exchange } from 'ccxt';
import type { FeedCandle } from '../core/candle.ts';
import { type PastCandle, toPrice } from '../core/past-candles.ts';
import { pairAt } from './exchange-names.ts';
import { askExchange } from './open-exchange.ts';

export type ExchangeStretch = {
  readonly symbol: string;
  readonly stepSeconds: number;
  readonly fromMs: number;
  readonly toMs: number;
};
/** A candle as an exchange has it: what was traded is counted in coins. */
export type ExchangeCandle = Omit<FeedCandle, 'volume'> & { readonly coins: number };

/** How exchanges name the steps we read them in. */
export const timeframes: Readonly<Record<number, string>> = { 60: '1m', 900: '15m' };
/** Asked for at once; an exchange that gives fewer is asked more often. */
const CANDLES_PER_CALL = 1000;
/** Every exchange gives at least this many. */
const LEAST_CANDLES_PER_CALL = 100;

/**
 * The candles of a coin that open in [fromMs, toMs), as far as the exchange has them, page by page, oldest first. Times
 * without one are left out; of a time that is sent twice the last one counts.
 * @throws SourceAway
 */
export async function* readExchangePages(
  exchange: Exchange,
  stretch: ExchangeStretch,
): AsyncGenerator<readonly ExchangeCandle[]> {
  const stepMs = stretch.stepSeconds * 1000;
  let longestPage = LEAST_CANDLES_PER_CALL;
  let nextMs = stretch.fromMs;
  while (nextMs < stretch.toMs) {
    const page = await readPage(exchange, stretch, nextMs);
    const later = page.filter(
      ({ atMs }, index) => atMs >= nextMs && atMs < stretch.toMs && atMs !== page[index + 1]?.atMs,
    );
    longestPage = Math.max(longestPage, page.length);
    const last = later.at(-1);
    // An empty page is a hole as long as a page, which may have candles behind it.
    nextMs = last === undefined ? nextMs + longestPage * stepMs : last.atMs + stepMs;
    if (last !== undefined) yield later;
  }
}

/**
 * All pages of a stretch, the turnover in dollars: what was traded in coins, at the close.
 * @throws SourceAway
 */
export async function readExchangeCandles(exchange: Exchange, stretch: ExchangeStretch): Promise<PastCandle[]> {
  const { stepSeconds } = stretch;
  const candles: PastCandle[] = [];
  for await (const page of readExchangePages(exchange, stretch)) {
    for (const { coins, ...prices } of page) {
      const dollars = Math.round(coins * prices.close * 100) / 100;
      candles.push({ ...prices, volume: Number.isFinite(dollars) ? dollars : null, stepSeconds });
    }
  }
  return candles;
}

async function readPage(exchange: Exchange, stretch: ExchangeStretch, fromMs: number): Promise<ExchangeCandle[]> {
  const { symbol, stepSeconds } = stretch;
  const rows = await askExchange(exchange, () =>
    exchange.fetchOHLCV(pairAt(exchange.id, symbol), timeframes[stepSeconds], fromMs, CANDLES_PER_CALL),
  );
  return rows.map((row) => {
    const [atMs, ...rest] = row.map(Number) as [number, number, number, number, number, number];
    const [open, high, low, close, coins] = rest.map(toPrice) as typeof rest;
    return { atMs, open, high, low, close, coins };
  });
}
