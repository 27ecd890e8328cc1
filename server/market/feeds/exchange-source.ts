import type { Exchange, Ticker } from 'ccxt';
import { symbols } from '#contract/rules.ts';
import { ceilToStep, floorToStep } from '../core/candle.ts';
import { isWholeCandle, type PastCandle, toPrice } from '../core/past-candles.ts';
import type { Quote } from '../core/play-quotes.ts';
import { readExchangeCandles } from './exchange-candles.ts';
import { namesAt, pairAt } from './exchange-names.ts';
import { type LiveSource, SourceAway } from './live-source.ts';
import { askExchange, type ExchangeConfig, findLastHeader, openExchange } from './open-exchange.ts';

const STEP_SECONDS = 60;
const QUARTER_HOUR_SECONDS = 900;
/** Far below every exchange's limits, which ccxt also enforces. */
const PACE_MS = 5000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const HISTORY_MS = 90 * DAY_MS;
const FINE_HISTORY_MS = 2 * DAY_MS;

/**
 * Prices of an exchange in dollars or USDT: last prices of all listed pairs in one call, and candles for history.
 *
 * @throws BadConfig when there is no such exchange
 */
export async function openExchangeSource(config: ExchangeConfig): Promise<LiveSource> {
  const exchange = await openExchange(config);
  const pairOf = (symbol: string) => pairAt(exchange.id, symbol);
  const { maxCandles = Number.POSITIVE_INFINITY } = namesAt(exchange.id);
  const fineHistoryMs = Math.min(FINE_HISTORY_MS, maxCandles * STEP_SECONDS * 1000);
  let isListFresh = false;
  const listPairs = async () => {
    // A delisted pair makes the whole call fail, so the list is read again after a failure.
    await askExchange(exchange, () => exchange.loadMarkets(!isListFresh));
    isListFresh = true;
    return symbols.filter((symbol) => exchange.markets?.[pairOf(symbol)]?.active);
  };
  let listDueMs = Number.POSITIVE_INFINITY;
  /** A pair that is listed again makes no call fail, so the list is also read hourly; the old one serves until then. */
  const renewList = async (nowMs: number) => {
    const isDue = nowMs >= listDueMs;
    if (isDue || listDueMs > nowMs + HOUR_MS) listDueMs = nowMs + HOUR_MS;
    if (!isDue) return;
    try {
      await askExchange(exchange, () => exchange.loadMarkets(true));
    } catch (error) {
      if (!(error instanceof SourceAway)) throw error;
    }
  };
  return {
    kind: 'ccxt',
    seed: config.sandbox ? `${exchange.id} sandbox` : exchange.id,
    stepSeconds: STEP_SECONDS,
    paceMs: PACE_MS,
    pastPaceMs: 0,
    historyMs: HISTORY_MS,
    listSymbols: listPairs,
    listQuotes: async (now) => {
      await renewList(now().getTime());
      const listed = await listPairs();
      try {
        const tickers = await listTickers(exchange, listed.map(pairOf));
        const repliedMs = Date.parse(findLastHeader(exchange, 'date') ?? '') || now().getTime();
        return listed.flatMap((symbol) => readQuote(symbol, tickers[pairOf(symbol)], repliedMs));
      } catch (error) {
        isListFresh = false;
        throw error;
      }
    },
    listPast: async (symbol, fromMs, toMs) => {
      const listed = await listPairs();
      if (!listed.includes(symbol)) return [];
      const fineMs = Math.max(fromMs, ceilToStep(toMs - fineHistoryMs, QUARTER_HOUR_SECONDS));
      const read = (stepSeconds: number, from: number, to: number): Promise<PastCandle[]> =>
        readExchangeCandles(exchange, { symbol, stepSeconds, fromMs: from, toMs: to });
      const fine = await read(STEP_SECONDS, fineMs, floorToStep(toMs, STEP_SECONDS));
      return [...(await read(QUARTER_HOUR_SECONDS, fromMs, fineMs)), ...fine].filter(isWholeCandle);
    },
  };
}

/**
 * All pairs in one call; one by one when the exchange has no such call or ccxt cannot parse the reply, because one
 * invalid price would discard the other fifteen.
 */
async function listTickers(exchange: Exchange, pairs: readonly string[]): Promise<Record<string, Ticker | undefined>> {
  if (exchange.has.fetchTickers) {
    try {
      return await askExchange(exchange, () => exchange.fetchTickers([...pairs]));
    } catch (error) {
      if (error instanceof SourceAway) throw error;
    }
  }
  const tickers: Record<string, Ticker | undefined> = {};
  for (const pair of pairs) tickers[pair] = await findTicker(exchange, pair);
  return tickers;
}

async function findTicker(exchange: Exchange, pair: string): Promise<Ticker | undefined> {
  try {
    return await askExchange(exchange, () => exchange.fetchTicker(pair));
  } catch (error) {
    if (error instanceof SourceAway) throw error;
    return undefined;
  }
}

/** A price without a timestamp has that of the reply: by this machine's own, a wrong clock would confirm itself. */
function readQuote(symbol: string, ticker: Ticker | undefined, repliedMs: number): Quote[] {
  if (ticker?.last == null) return [];
  const { last, timestamp, quoteVolume } = ticker;
  const isVolume = quoteVolume != null && Number.isFinite(quoteVolume) && quoteVolume >= 0;
  return [
    {
      symbol,
      price: toPrice(last),
      atMs: timestamp != null && Number.isFinite(timestamp) ? timestamp : repliedMs,
      dayVolume: isVolume ? toPrice(quoteVolume) : null,
    },
  ];
}
