import type { Exchange } from 'ccxt';
import { type PastCandle, toPrice } from './core/past-candles.ts';
import { askExchange, pairOf } from './open-exchange.ts';

export type ExchangeStretch = {
  readonly symbol: string;
  readonly stepSeconds: number;
  readonly fromMs: number;
  readonly toMs: number;
};

const timeframes: Readonly<Record<number, string>> = { 60: '1m', 900: '15m' };
/** Asked for at once; an exchange that gives fewer is asked more often. */
const CANDLES_PER_CALL = 1000;
/** Every exchange gives at least this many. */
const LEAST_CANDLES_PER_CALL = 100;

/**
 * The candles of a coin that open in [fromMs, toMs) and as far as the exchange has them, page by page, oldest first.
 * Times without one are left out; the turnover is what was traded in coins, at the close.
 * @throws SourceAway
 */
export async function readExchangeCandles(exchange: Exchange, stretch: ExchangeStretch): Promise<PastCandle[]> {
  const stepMs = stretch.stepSeconds * 1000;
  const candles: PastCandle[] = [];
  let longestPage = LEAST_CANDLES_PER_CALL;
  let nextMs = stretch.fromMs;
  while (nextMs < stretch.toMs) {
    const page = await readPage(exchange, stretch, nextMs);
    const later = page.filter((candle) => candle.atMs >= nextMs && candle.atMs < stretch.toMs);
    candles.push(...later);
    const last = later.at(-1);
    longestPage = Math.max(longestPage, page.length);
    // An empty page is a hole as long as a page, which may have candles behind it.
    nextMs = last === undefined ? nextMs + longestPage * stepMs : last.atMs + stepMs;
  }
  return candles;
}

async function readPage(exchange: Exchange, stretch: ExchangeStretch, fromMs: number): Promise<PastCandle[]> {
  const { symbol, stepSeconds } = stretch;
  const timeframe = timeframes[stepSeconds];
  const rows = await askExchange(exchange, () =>
    exchange.fetchOHLCV(pairOf(symbol), timeframe, fromMs, CANDLES_PER_CALL),
  );
  return rows.map((row) => {
    const [atMs, ...rest] = row.map(Number) as [number, number, number, number, number, number];
    const [open, high, low, close, coins] = rest.map((value) => toPrice(value)) as typeof rest;
    const dollars = Math.round(coins * close * 100) / 100;
    return { atMs, open, high, low, close, volume: Number.isFinite(dollars) ? dollars : null, stepSeconds };
  });
}
