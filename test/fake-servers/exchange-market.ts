import { symbols } from '#contract/rules.ts';
import type { Answer } from './serve-json.ts';

/** What an exchange publishes about a pair; may change while it runs. Numbers are decimal text, as on the wire. */
export type ExchangePair = {
  /** Our symbol of the coin. */
  base: string;
  /** The exchange's symbol of the coin. */
  coin: string;
  /** `BREAK` while trading is suspended. */
  status: 'TRADING' | 'BREAK';
  lastPrice: string;
  /** Time of the last price in milliseconds; null means the exchange's current time. */
  pricedAtMs: number | null;
  /** 24-hour turnover in dollars. */
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
  /** By the exchange's pair name: `BTCUSDT`, `XXBTZUSD`, `BTC-USDT`. */
  readonly pairs: Map<string, ExchangePair>;
  /** The candle of a base that opens at `openMs`, or null. */
  candle: (base: string, openMs: number, stepMs: number) => ExchangeCandle | null;
  /** Every reply contains each candle twice. */
  sendsTwice: boolean;
  /** Replaces the reply of every call; `hang` never replies. */
  fault: Answer | 'hang' | null;
  /** Path and query of every call, oldest first. */
  readonly calls: string[];
};

const startPrices: Readonly<Record<string, string>> = { btc: '60000.00', eth: '3000.00', sol: '140.00', bsv: '50.00' };

/** Every exchange lists EOS as A. */
export const coinOf = (base: string): string => (base === 'eos' ? 'A' : base.toUpperCase());

/** @param nameOf the exchange's name of a coin's pair */
export const openMarket = (nameOf: (coin: string) => string, bases: readonly string[] = symbols): PriceMarket => ({
  now: Date.now,
  pairs: new Map(bases.map((base) => [nameOf(coinOf(base)), makePair(base)])),
  candle: sawCandle,
  sendsTwice: false,
  fault: null,
  calls: [],
});

/** A sawtooth of half a percent around the base's start price, so that every candle can be recomputed. */
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
    coin: coinOf(base),
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

/** Candles that open from `firstMs` to `endMs`, oldest first, without the missing ones. */
export function listCandles(
  market: PriceMarket,
  { base }: ExchangePair,
  { stepMs, firstMs, endMs, limit }: { stepMs: number; firstMs: number; endMs: number; limit: number },
): (readonly [openMs: number, candle: ExchangeCandle])[] {
  const rows: (readonly [number, ExchangeCandle])[] = [];
  for (let openMs = Math.ceil(firstMs / stepMs) * stepMs; openMs <= endMs && rows.length < limit; openMs += stepMs) {
    const candle = market.candle(base, openMs, stepMs);
    if (candle !== null) rows.push([openMs, candle], ...(market.sendsTwice ? [[openMs, candle] as const] : []));
  }
  return rows;
}

/** The number of decimals of a step: five for `0.00001000`. */
export const decimalsOf = (step: string): number => step.replace(/0+$/, '').split('.')[1]?.length ?? 0;
