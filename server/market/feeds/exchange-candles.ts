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
/** A candle as the exchange reports it, with turnover in coins. */
export type ExchangeCandle = Omit<FeedCandle, 'volume'> & { readonly coins: number };

/** ccxt's names of the steps we read. */
export const timeframes: Readonly<Record<number, string>> = { 60: '1m', 900: '15m' };
/** Requested per call; an exchange that returns fewer is called more often. */
const CANDLES_PER_CALL = 1000;
/** Every exchange returns at least this many. */
const MIN_CANDLES_PER_CALL = 100;

/**
 * The candles of a coin that open in [fromMs, toMs), as far as the exchange has them, page by page, oldest first. Gaps
 * stay gaps; of a repeated time the last candle counts.
 *
 * @throws SourceAway
 */
export async function* readExchangePages(
  exchange: Exchange,
  stretch: ExchangeStretch,
): AsyncGenerator<readonly ExchangeCandle[]> {
  const stepMs = stretch.stepSeconds * 1000;
  let longestPage = MIN_CANDLES_PER_CALL;
  let nextMs = stretch.fromMs;
  while (nextMs < stretch.toMs) {
    const page = await readPage(exchange, stretch, nextMs);
    const later = page.filter(
      ({ atMs }, index) => atMs >= nextMs && atMs < stretch.toMs && atMs !== page[index + 1]?.atMs,
    );
    longestPage = Math.max(longestPage, page.length);
    const last = later.at(-1);
    // An empty page is a gap as long as a page, with possible candles behind it.
    nextMs = last === undefined ? nextMs + longestPage * stepMs : last.atMs + stepMs;
    if (last !== undefined) yield later;
  }
}

/**
 * All pages of a period, with turnover converted to dollars at the close.
 *
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
