import { z } from 'zod';
import { marketPairs, symbols } from '#contract/rules.ts';
import type { Config } from '#server/config.ts';
import { readText } from '#server/read-text.ts';
import { candlesOfPoints, daysOfClosingRows, type PastCandle, toPrice } from '../core/past-candles.ts';
import type { Quote } from '../core/play-quotes.ts';
import { type LiveSource, readRetryAfterMs, SourceAway } from './live-source.ts';

type CoingeckoConfig = Config['market']['coingecko'];
type Access = CoingeckoConfig & { readonly timeoutMs: number };

/** Five minutes: the slowest polling pace, and CoinGecko's finest history. */
const STEP_SECONDS = 300;
/** A coin's history takes two calls: 24 calls a minute stay below every plan's limit. */
const PAST_PACE_MS = 5000;
const HISTORY_MS = 30 * 86_400_000;
const DAY_MS = 86_400_000;
const TIMEOUT_MS = 10_000;
/** Maximum length of a reason in the log. */
const MAX_REASON = 200;

/** CoinGecko's own ids; the pair list's `apiname` differs for bsv. */
const coinIds = new Map(
  marketPairs.map(({ apiname }, index) => [
    symbols[index] as string,
    apiname === 'bsv' ? 'bitcoin-cash-sv' : (apiname as string),
  ]),
);

/**
 * A coin's entry may lack any key or be something else, which concerns no other coin; values of the wrong type are
 * refused by the price guard.
 */
const simplePrice = z.record(
  z.string(),
  z.object({ usd: z.unknown(), usd_24h_vol: z.unknown(), last_updated_at: z.unknown() }).partial().catch({}),
);
/** Candles without a number are left out. */
const pastPrice = z
  .number()
  .nullable()
  .transform((price) => price ?? Number.NaN);
const marketChart = z.object({ prices: z.array(z.tuple([z.number(), pastPrice])) });
const ohlc = z.array(z.tuple([z.number(), pastPrice, pastPrice, pastPrice, pastPrice]));
/** CoinGecko's three error formats, also sent with status 200. */
const refusal = z.union([
  z.object({ status: z.object({ error_message: z.string() }) }).transform((body) => body.status.error_message),
  z
    .object({ error: z.object({ status: z.object({ error_message: z.string() }) }) })
    .transform((body) => body.error.status.error_message),
  z.object({ error: z.string() }).transform((body) => body.error),
]);

/** CoinGecko prices in dollars, all coins in one call. It has no exchange volume and no minute history. */
export function openCoingeckoSource(config: CoingeckoConfig, timeoutMs = TIMEOUT_MS): LiveSource {
  const ask = <Shape extends z.ZodType>(path: string, query: Record<string, string>, shape: Shape) =>
    askCoingecko({ ...config, timeoutMs }, path, query, shape);
  return {
    kind: 'coingecko',
    seed: '',
    stepSeconds: STEP_SECONDS,
    paceMs: config.pollSeconds * 1000,
    pastPaceMs: PAST_PACE_MS,
    historyMs: HISTORY_MS,
    listSymbols: async () => symbols,
    listQuotes: async () => {
      const ids = [...coinIds.values()].join(',');
      const query = { ids, vs_currencies: 'usd', include_24hr_vol: 'true', include_last_updated_at: 'true' };
      const prices = await ask('/simple/price', query, simplePrice);
      return [...coinIds].flatMap(([symbol, id]) => readQuote(symbol, prices[id]));
    },
    listPast: async (symbol, fromMs, toMs) => {
      const path = `/coins/${coinIds.get(symbol)}`;
      const query = { vs_currency: 'usd' };
      const chart = await ask(`${path}/market_chart`, { ...query, days: '1' }, marketChart);
      const fine = candlesOfPoints(chart.prices, STEP_SECONDS, toMs);
      const days = toMs - fromMs <= DAY_MS ? [] : await ask(`${path}/ohlc`, { ...query, days: '30' }, ohlc);
      return [...fine, ...daysOfClosingRows(days, toMs)].filter((candle: PastCandle) => candle.atMs >= fromMs);
    },
  };
}

/** No quote without a price or a time: unknown values are not invented. */
function readQuote(symbol: string, entry: z.output<typeof simplePrice>[string] | undefined): Quote[] {
  const { usd, usd_24h_vol: volume, last_updated_at: updatedAt } = entry ?? {};
  if (usd === undefined || usd === null) return [];
  if (typeof updatedAt !== 'number' || !Number.isFinite(updatedAt)) return [];
  return [
    {
      symbol,
      price: typeof usd === 'number' ? toPrice(usd) : Number.NaN,
      atMs: updatedAt * 1000,
      dayVolume: typeof volume === 'number' && volume >= 0 ? toPrice(volume) : null,
    },
  ];
}

async function askCoingecko<Shape extends z.ZodType>(
  config: Access,
  path: string,
  query: Record<string, string>,
  shape: Shape,
): Promise<z.output<Shape>> {
  // Commas stay unescaped: CoinGecko silently drops an id after `%2C `.
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const { status, text, retryAfter } = await fetchText(config, `${config.url}${path}?${search.join('&')}`);
  const body = readJson(text);
  const refused = refusal.safeParse(body);
  if (status !== 200 || refused.success) {
    const reason = refused.success ? refused.data.slice(0, MAX_REASON) : 'no reason given';
    throw new SourceAway(`CoinGecko answered ${path} with ${status}: ${reason}`, retryAfter);
  }
  const parsed = shape.safeParse(body);
  if (!parsed.success) throw new SourceAway(`CoinGecko answered ${path} with something else than prices`);
  return parsed.data;
}

async function fetchText(config: Access, url: string) {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...keyHeader(config) },
      // The key is sent to the configured address only.
      redirect: 'error',
      signal: AbortSignal.timeout(config.timeoutMs),
    });
    const retryAfter = readRetryAfterMs(response.headers.get('retry-after'), new Date());
    return { status: response.status, text: await readText(response), retryAfter };
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    throw new SourceAway(`CoinGecko did not answer (${cause?.code ?? name})`);
  }
}

/** Demo and paid keys use different headers and addresses; mixing them is refused. */
function keyHeader({ url, apiKey }: CoingeckoConfig): Record<string, string> {
  if (apiKey === undefined) return {};
  return { [new URL(url).hostname.startsWith('pro-api.') ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key']: apiKey };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
