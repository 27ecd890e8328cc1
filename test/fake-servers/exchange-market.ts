import { symbols } from '#contract/rules.ts';
import type { Answer } from './serve-json.ts';

/** What an exchange knows of one pair; change any of it while it runs. Numbers are decimal text, as the exchange sends them. */
export type ExchangePair = {
  /** Our symbol of what is traded. */
  base: string;
  /** The exchange's name of it. */
  coin: string;
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
  /** By the exchange's own name: `BTCUSDT`, `XXBTZUSD`, `BTC-USDT`. */
  readonly pairs: Map<string, ExchangePair>;
  /** The candle of a base that opens at `openMs`; null where it has none. */
  candle: (base: string, openMs: number, stepMs: number) => ExchangeCandle | null;
  /** Each candle stands twice in an answer. */
  sendsTwice: boolean;
  /** Answers every call with this instead; `hang` never answers. */
  fault: Answer | 'hang' | null;
  /** Path and query of every call, oldest first. */
  readonly calls: string[];
};

const startPrices: Readonly<Record<string, string>> = { btc: '60000.00', eth: '3000.00', sol: '140.00', bsv: '50.00' };

/** EOS is listed as A everywhere. */
export const coinOf = (base: string): string => (base === 'eos' ? 'A' : base.toUpperCase());

/** @param nameOf the exchange's own name of a coin's pair */
export const openMarket = (nameOf: (coin: string) => string, bases: readonly string[] = symbols): PriceMarket => ({
  now: Date.now,
  pairs: new Map(bases.map((base) => [nameOf(coinOf(base)), makePair(base)])),
  candle: sawCandle,
  sendsTwice: false,
  fault: null,
  calls: [],
});

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

/** Candles that open from `firstMs` to `endMs`, oldest first; those the market has none of are left out. */
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

/** How many decimals a step has: `0.00001000` has five. */
export const decimalsOf = (step: string): number => step.replace(/0+$/, '').split('.')[1]?.length ?? 0;
