import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, sendAnswer, startNodeServer } from './serve-json.ts';

const readFixture = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8'));

export const recordedChart = readFixture('coingecko-market-chart.json') as { prices: [number, number][] };
export const recordedOhlc = readFixture('coingecko-ohlc.json') as [number, number, number, number, number][];
type Refusals =
  | ('rateLimit' | 'rateLimitWith200' | 'serverError' | 'keyMissing' | 'tooFarBack')
  | ('missingIds' | 'missingCurrency' | 'unknownCurrency' | 'unknownCoin');
export const refusals = readFixture('coingecko-refusals.json') as Record<Refusals, Answer>;

/** The published figures of a coin; `unknown`, so that tests can make them invalid. */
export type CoinPrice = { usd: unknown; usd_24h_vol: unknown; last_updated_at: unknown };

export type Coingecko = {
  /** Set COINGECKO_URL to it. */
  readonly url: string;
  /** By CoinGecko id; a coin that is not here is omitted from replies without an error, as in the real API. */
  readonly prices: Map<string, CoinPrice>;
  /** Replaces every reply: an error, a text, no reply, or a broken connection. */
  fault: Answer | { readonly text: string } | 'hang' | 'cut' | null;
  /** Path and query of every call, oldest first. */
  readonly calls: string[];
  /** The key headers of the last call. */
  lastKeys: Record<string, unknown>;
  readonly close: () => Promise<void>;
};

/** CoinGecko's API on 127.0.0.1: current prices as set, historical ones as recorded. */
export async function startCoingecko(): Promise<Coingecko> {
  const { origin, close } = await startNodeServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://coingecko');
    node.calls.push(url.pathname + decodeURIComponent(url.search));
    const { 'x-cg-demo-api-key': demo, 'x-cg-pro-api-key': paid } = request.headers;
    node.lastKeys = { demo, paid };
    if (node.fault === 'hang') return;
    if (node.fault === 'cut') return void request.socket.destroy();
    if (node.fault !== null && 'text' in node.fault) response.end(node.fault.text);
    else sendAnswer(response, node.fault ?? answer(node, url));
  });
  const node: Coingecko = {
    url: `${origin}/api/v3`,
    prices: new Map(),
    fault: null,
    calls: [],
    lastKeys: {},
    close,
  };
  return node;
}

function answer(node: Coingecko, url: URL): Answer {
  const [, , , part, coin, call] = url.pathname.split('/');
  if (part === 'simple') return listPrices(node, url.searchParams);
  if (part !== 'coins' || coin === undefined) return { status: 404, body: { error: 'Incorrect path.' } };
  if (call === 'ohlc') return url.search === '' ? refusals.serverError : { status: 200, body: recordedOhlc };
  if (!url.searchParams.has('vs_currency')) return refusals.missingCurrency;
  if (url.searchParams.get('vs_currency') !== 'usd') return refusals.unknownCurrency;
  return node.prices.has(coin) ? { status: 200, body: recordedChart } : refusals.unknownCoin;
}

/** Omits unknown ids and currencies with status 200; an id with a leading space is unknown. */
function listPrices({ prices }: Coingecko, query: URLSearchParams): Answer {
  const ids = query.get('ids');
  if (ids === null) return refusals.missingIds;
  if (query.get('vs_currencies') === null)
    return { ...refusals.missingIds, body: { error: 'Missing parameter vs_currencies' } };
  const isKnown = query.get('vs_currencies') === 'usd';
  const listed = ids.split(',').flatMap((id) => {
    const price = prices.get(id);
    if (price === undefined) return [];
    const { usd, usd_24h_vol, last_updated_at } = price;
    const asked = {
      ...(query.get('include_24hr_vol') === 'true' && { usd_24h_vol }),
      ...(query.get('include_last_updated_at') === 'true' && { last_updated_at }),
    };
    return [[id, isKnown ? { usd, ...asked } : {}]];
  });
  return { status: 200, body: Object.fromEntries(listed) };
}
