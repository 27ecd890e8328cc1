import { z } from 'zod';
import { endpoint, instant } from './endpoint.ts';
import { english } from './texts.ts';

const { t } = english;

export const feed = z.strictObject({
  kind: z.enum(['simulated', 'replay', 'coingecko', 'ccxt']),
  /** Text of the amber label, "Simulated market" or "Replay"; null when prices are live. */
  label: z.string().nullable(),
  /** Market time now. */
  at: instant,
  /** Market seconds per real second. */
  speed: z.number(),
  stale: z.boolean(),
  /** The recording is over and prices no longer move. */
  ended: z.boolean(),
});
export type Feed = z.output<typeof feed>;

export const marketEntry = z.strictObject({
  displayName: z.string(),
  apiname: z.string(),
  image: z.string(),
  /** False when the exchange in use does not list it, so it is not tradable. */
  listed: z.boolean(),
  /** Null until the first price: unknown is not zero. */
  rate: z.number().nullable(),
  /** The price is too old to trade at, or there is none: trades wait for the next one. */
  stale: z.boolean(),
  change_24h: z.number().nullable(),
  high_24h: z.number().nullable(),
  low_24h: z.number().nullable(),
  volume_24h: z.number().nullable(),
  /** Closing prices of the last 24 hours, oldest first, about 48 of them. */
  spark: z.array(z.number()),
});
export type MarketEntry = z.output<typeof marketEntry>;

export const candleIntervals = ['1m', '5m', '15m', '1h', '1d'] as const;
export type CandleInterval = (typeof candleIntervals)[number];
export const candle = z.strictObject({
  /** Opening time. */
  time: instant,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  /** Turnover in dollars; null where a live feed does not report it. */
  volume: z.number().nullable(),
});
export type Candle = z.output<typeof candle>;

export const symbolParam = z.string().regex(/^[a-z0-9]{2,10}$/, t`Not a symbol.`);

export const market = {
  listMarket: endpoint({
    method: 'GET',
    path: '/market',
    access: 'public',
    summary: 'List the pairs with prices, and the price feed',
    data: z.strictObject({ pairs: z.array(marketEntry), feed }),
  }),
  listCandles: endpoint({
    method: 'GET',
    path: '/market/:symbol/candles',
    access: 'public',
    summary: 'List candles of a pair, oldest first, at most 1500',
    params: z.strictObject({ symbol: symbolParam }),
    query: z.strictObject({
      interval: z.enum(candleIntervals).default('15m'),
      from: instant.optional(),
      to: instant.optional(),
    }),
    data: z.array(candle),
    refusals: ['asset_not_found', 'period_turned'],
  }),
  listSpreads: endpoint({
    method: 'GET',
    path: '/market/spreads',
    access: 'public',
    summary: 'List spreads by asset, current and from the next session',
    data: z.strictObject({
      items: z.array(
        z.strictObject({
          symbol: z.string(),
          /** The current spread, half on each side of the market price. */
          spread_bps: z.number().int(),
          /** The spread from the next session on; null if it does not change. */
          next_bps: z.number().int().nullable(),
        }),
      ),
    }),
  }),
};
