import type { IncomingMessage } from 'node:http';
import { type ExchangePair, listCandles, openMarket, type PriceMarket } from './exchange-market.ts';
import { type Answer, sendAnswer, startNodeServer } from './serve-json.ts';

export type ExchangePrices = {
  readonly market: PriceMarket;
  /** Answers public price calls; undefined for any other path. */
  readonly answerPrices: (request: IncomingMessage, url: URL) => Answer | undefined;
};

const stepsMs: Readonly<Record<string, number>> = { '1m': 60_000, '15m': 900_000 };

/** The reply of an exchange whose rate limit is exceeded. */
export const tooManyRequests = (retryAfterSeconds: number): Answer => ({
  status: 429,
  headers: { 'retry-after': String(retryAfterSeconds) },
  body: { code: -1003, msg: 'Too much request weight used; current limit is 6000 request weight per 1 MINUTE.' },
});

/**
 * The price calls of Binance's spot REST API: `exchangeInfo`, `ticker/24hr`, `klines`, `time` and `ping` below
 * `/api/v3`, with the replies and errors of the real API. It lists every named pair.
 */
export function createExchangePrices(bases?: readonly string[]): ExchangePrices {
  const market = openMarket((coin) => `${coin}USDT`, bases);
  const routes: Record<string, (url: URL) => Answer> = {
    '/api/v3/ping': () => ok({}),
    '/api/v3/time': () => ok({ serverTime: market.now() }),
    '/api/v3/exchangeInfo': () => ok(describeExchange(market)),
    '/api/v3/ticker/24hr': (url) => listTickers(market, url),
    '/api/v3/klines': (url) => listKlines(market, url),
  };
  return answering(market, routes);
}

/** Public calls by their path. */
export const answering = (market: PriceMarket, routes: Record<string, (url: URL) => Answer>): ExchangePrices => ({
  market,
  answerPrices: (request, url) => {
    const route = request.method === 'GET' ? routes[url.pathname] : undefined;
    if (route === undefined) return undefined;
    market.calls.push(url.pathname + decodeURIComponent(url.search));
    const answer = market.fault === null || market.fault === 'hang' ? route(url) : market.fault;
    return { ...answer, headers: { date: new Date(market.now()).toUTCString(), ...answer.headers } };
  },
});

/** The same as a separate server on 127.0.0.1; set CCXT_URL to its `url`. */
export async function startExchangePrices(
  bases?: readonly string[],
): Promise<ExchangePrices & { url: string; close: () => Promise<void> }> {
  const prices = createExchangePrices(bases);
  const { origin, close } = await startNodeServer((request, response) => {
    const answer = prices.answerPrices(request, new URL(request.url ?? '/', 'http://exchange'));
    if (prices.market.fault === 'hang') return;
    sendAnswer(response, answer ?? { status: 404, body: { code: -1, msg: 'no such call' } });
  });
  return { ...prices, url: origin, close };
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const invalidSymbol: Answer = { status: 400, body: { code: -1121, msg: 'Invalid symbol.' } };

function describeExchange(market: PriceMarket) {
  return {
    timezone: 'UTC',
    serverTime: market.now(),
    rateLimits: [
      { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6000 },
      { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 100 },
    ],
    exchangeFilters: [],
    symbols: [...market.pairs].map(([symbol, pair]) => describePair(symbol, pair)),
  };
}

const describePair = (symbol: string, pair: ExchangePair) => ({
  symbol,
  status: pair.status,
  baseAsset: pair.coin,
  baseAssetPrecision: 8,
  quoteAsset: 'USDT',
  quotePrecision: 8,
  quoteAssetPrecision: 8,
  baseCommissionPrecision: 8,
  quoteCommissionPrecision: 8,
  orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT_LIMIT'],
  icebergAllowed: true,
  ocoAllowed: true,
  quoteOrderQtyMarketAllowed: true,
  allowTrailingStop: true,
  cancelReplaceAllowed: true,
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: false,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: pair.tickSize, maxPrice: '1000000.00000000', tickSize: pair.tickSize },
    { filterType: 'LOT_SIZE', minQty: pair.minQuantity, maxQty: pair.maxQuantity, stepSize: pair.stepSize },
    { filterType: 'MARKET_LOT_SIZE', minQty: '0.00000000', maxQty: pair.maxMarketQuantity, stepSize: '0.00000000' },
    {
      filterType: 'NOTIONAL',
      minNotional: pair.minNotional,
      applyMinToMarket: true,
      maxNotional: '9000000.00000000',
      applyMaxToMarket: false,
      avgPriceMins: 5,
    },
  ],
  permissions: [],
  permissionSets: [['SPOT']],
  defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
  allowedSelfTradePreventionModes: ['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'],
});

function listTickers(market: PriceMarket, url: URL): Answer {
  const single = url.searchParams.get('symbol');
  const names = single ? [single] : (JSON.parse(url.searchParams.get('symbols') ?? 'null') as string[] | null);
  const wanted = names ?? [...market.pairs.keys()];
  const pairs = wanted.map((name) => market.pairs.get(name));
  // One unknown name fails the whole call, as at the real exchange.
  if (pairs.some((pair) => pair === undefined)) return invalidSymbol;
  const tickers = wanted.map((name, index) => describeTicker(market, name, pairs[index] as ExchangePair));
  return ok(single ? tickers[0] : tickers);
}

function describeTicker(market: PriceMarket, symbol: string, pair: ExchangePair) {
  const closeTime = pair.pricedAtMs ?? market.now();
  return {
    symbol,
    priceChange: '0.00',
    priceChangePercent: '0.000',
    weightedAvgPrice: pair.lastPrice,
    prevClosePrice: pair.lastPrice,
    lastPrice: pair.lastPrice,
    lastQty: '0.01000000',
    bidPrice: pair.lastPrice,
    bidQty: '1.00000000',
    askPrice: pair.lastPrice,
    askQty: '1.00000000',
    openPrice: pair.lastPrice,
    highPrice: pair.lastPrice,
    lowPrice: pair.lastPrice,
    volume: '250.00000000',
    quoteVolume: pair.quoteVolume,
    openTime: closeTime - 86_400_000,
    closeTime,
    firstId: 1,
    lastId: 1000,
    count: 1000,
  };
}

/** Oldest first from `startTime`, or the newest; the last candle is the open one, as at the real exchange. */
function listKlines(market: PriceMarket, url: URL): Answer {
  const pair = market.pairs.get(url.searchParams.get('symbol') ?? '');
  const stepMs = stepsMs[url.searchParams.get('interval') ?? ''];
  if (pair === undefined) return invalidSymbol;
  if (stepMs === undefined) return { status: 400, body: { code: -1120, msg: 'Invalid interval.' } };
  const limit = Math.min(Number(url.searchParams.get('limit') ?? 500), 1000);
  const endMs = Math.min(Number(url.searchParams.get('endTime') ?? Number.POSITIVE_INFINITY), market.now());
  const firstMs = Number(url.searchParams.get('startTime') ?? endMs - limit * stepMs);
  const rows = listCandles(market, pair, { stepMs, firstMs, endMs, limit });
  return ok(
    rows.map(([openMs, [open, high, low, close, volume, quoteVolume]]) => [
      ...[openMs, open, high, low, close, volume, openMs + stepMs - 1, quoteVolume],
      ...[42, '1.0', '100.0', '0'],
    ]),
  );
}
