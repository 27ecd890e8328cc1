import type { IncomingMessage } from 'node:http';
import { symbols } from '#contract/rules.ts';
import { type Answer, sendAnswer, startNodeServer } from './serve-json.ts';

/** What an exchange knows of one pair; change any of it while it runs. Numbers are decimal text, as the exchange sends them. */
export type ExchangePair = {
  base: string;
  /** `BREAK` while the exchange does not trade it. */
  status: 'TRADING' | 'BREAK';
  lastPrice: string;
  /** When the last price was made, in milliseconds; null for the exchange's present. */
  pricedAtMs: number | null;
  /** Turnover of 24 hours in dollars. */
  quoteVolume: string;
  tickSize: string;
  stepSize: string;
  minQuantity: string;
  maxQuantity: string;
  maxMarketQuantity: string;
  minNotional: string;
};

/** Open, high, low, close, volume in coins and volume in dollars, as decimal text. */
export type ExchangeCandle = readonly [
  open: string,
  high: string,
  low: string,
  close: string,
  volume: string,
  quoteVolume: string,
];

export type PriceMarket = {
  /** The exchange's clock. */
  now: () => number;
  /** By the exchange's own name, `BTCUSDT`. */
  readonly pairs: Map<string, ExchangePair>;
  /** The candle of a base that opens at `openMs`; null where it has none. */
  candle: (base: string, openMs: number, stepMs: number) => ExchangeCandle | null;
  /** Answers every call with this instead; `hang` never answers. */
  fault: Answer | 'hang' | null;
  /** Path and query of every call, oldest first. */
  readonly calls: string[];
};

export type ExchangePrices = {
  readonly market: PriceMarket;
  /** Answers the public calls on prices; undefined for a path that is not one of them. */
  readonly answerPrices: (request: IncomingMessage, url: URL) => Answer | undefined;
};

const stepsMs: Readonly<Record<string, number>> = { '1m': 60_000, '15m': 900_000 };
const startPrices: Readonly<Record<string, string>> = { btc: '60000.00', eth: '3000.00', sol: '140.00', bsv: '50.00' };

/** The refusal an exchange gives whoever asks too often. */
export const tooManyRequests = (retryAfterSeconds: number): Answer => ({
  status: 429,
  headers: { 'retry-after': String(retryAfterSeconds) },
  body: { code: -1003, msg: 'Too much request weight used; current limit is 6000 request weight per 1 MINUTE.' },
});

/**
 * The prices of an exchange that speaks Binance's spot REST API: `exchangeInfo`, `ticker/24hr`, `klines`, `time` and
 * `ping` below `/api/v3`, with the bodies and the refusals of the real one. It lists all pairs named.
 */
export function createExchangePrices(bases: readonly string[] = symbols): ExchangePrices {
  const market: PriceMarket = {
    now: Date.now,
    pairs: new Map(bases.map((base) => [`${base.toUpperCase()}USDT`, makePair(base)])),
    candle: sawCandle,
    fault: null,
    calls: [],
  };
  const routes: Record<string, (url: URL) => Answer> = {
    '/api/v3/ping': () => ok({}),
    '/api/v3/time': () => ok({ serverTime: market.now() }),
    '/api/v3/exchangeInfo': () => ok(describeExchange(market)),
    '/api/v3/ticker/24hr': (url) => listTickers(market, url),
    '/api/v3/klines': (url) => listKlines(market, url),
  };
  return {
    market,
    answerPrices: (request, url) => {
      const route = request.method === 'GET' ? routes[url.pathname] : undefined;
      if (route === undefined) return undefined;
      market.calls.push(url.pathname + decodeURIComponent(url.search));
      return market.fault === null || market.fault === 'hang' ? route(url) : market.fault;
    },
  };
}

/** The same as a server of its own on 127.0.0.1: `url` is what CCXT_URL is set to. */
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

/** A price that rises and falls by half a percent around the base's first price, so that every candle can be recomputed. */
export function sawCandle(base: string, openMs: number, stepMs: number): ExchangeCandle {
  const price = Number(startPrices[base] ?? '10.00');
  const at = (index: number) => price * (1 + 0.0005 * (((index * 7) % 21) - 10));
  const index = openMs / stepMs;
  const [open, close] = [at(index), at(index + 1)];
  const [high, low] = [Math.max(open, close) * 1.001, Math.min(open, close) * 0.999];
  const volume = 3 + (index % 5);
  return [...[open, high, low, close].map((value) => value.toFixed(4)), `${volume}`, (volume * close).toFixed(2)] as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
}

function makePair(base: string): ExchangePair {
  return {
    base,
    status: 'TRADING',
    lastPrice: startPrices[base] ?? '10.00',
    pricedAtMs: null,
    quoteVolume: '1500000.00',
    tickSize: '0.01000000',
    stepSize: '0.00001000',
    minQuantity: '0.00001000',
    maxQuantity: '9000.00000000',
    maxMarketQuantity: '120.00000000',
    minNotional: '5.00000000',
  };
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
  baseAsset: pair.base.toUpperCase(),
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
  // The real one refuses the whole call for one name it does not know.
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

/** Oldest first from `startTime`, or the newest; the candle that is still forming is the last one, as the real one does. */
function listKlines(market: PriceMarket, url: URL): Answer {
  const pair = market.pairs.get(url.searchParams.get('symbol') ?? '');
  const stepMs = stepsMs[url.searchParams.get('interval') ?? ''];
  if (pair === undefined) return invalidSymbol;
  if (stepMs === undefined) return { status: 400, body: { code: -1120, msg: 'Invalid interval.' } };
  const limit = Math.min(Number(url.searchParams.get('limit') ?? 500), 1000);
  const endMs = Math.min(Number(url.searchParams.get('endTime') ?? Number.POSITIVE_INFINITY), market.now());
  const firstMs = Number(url.searchParams.get('startTime') ?? endMs - limit * stepMs);
  const rows: unknown[] = [];
  for (let openMs = Math.ceil(firstMs / stepMs) * stepMs; openMs <= endMs && rows.length < limit; openMs += stepMs) {
    const candle = market.candle(pair.base, openMs, stepMs);
    if (candle === null) continue;
    const [open, high, low, close, volume, quoteVolume] = candle;
    rows.push([openMs, open, high, low, close, volume, openMs + stepMs - 1, quoteVolume, 42, '1.0', '100.0', '0']);
  }
  return ok(rows);
}
