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

/** What is known of one coin. Values of any kind, so that they can be wrong. */
export type CoinPrice = { usd: unknown; usd_24h_vol: unknown; last_updated_at: unknown };

export type Coingecko = {
  /** What COINGECKO_URL is set to. */
  readonly url: string;
  /** By its own id; a coin that is not here is dropped from answers without a word, as the real one does. */
  readonly prices: Map<string, CoinPrice>;
  /** Answers every call with this instead: a refusal, a text, never, or by cutting the line. */
  fault: Answer | { readonly text: string } | 'hang' | 'cut' | null;
  /** Path and query of every call, oldest first. */
  readonly calls: string[];
  /** Keys the last call came with. */
  lastKeys: Record<string, unknown>;
  readonly close: () => Promise<void>;
};

/** A server on 127.0.0.1 that answers as CoinGecko does: prices as they are set, the past as recorded. */
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

/** Unknown ids and currencies are dropped with 200, and an id after a space is unknown. */
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
