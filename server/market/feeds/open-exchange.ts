import type { Exchange } from 'ccxt';
import { BadConfig } from '#server/config.ts';
import { readRetryAfterMs, SourceAway } from './live-source.ts';

export type ExchangeConfig = {
  readonly id: string | undefined;
  readonly url: string | undefined;
  readonly sandbox: boolean;
  /** Milliseconds of the exchange's rate limit per call of weight one; ccxt's own value unless set. */
  readonly rateLimitMs?: number;
};

/** Keys of an account; prices need none. */
export type ExchangeKeys = {
  readonly apiKey?: string;
  readonly secret?: string;
  /** Used by OKX only. */
  readonly password?: string | undefined;
};

/** An exchange that has not answered by then counts as away. */
const TIMEOUT_MS = 10_000;

/**
 * A ccxt exchange: spot markets only, rate limits enforced, its sandbox if configured, and every REST address moved to
 * `url` if set (the path stays: `https://api.binance.com/api/v3` at `http://127.0.0.1:9000` is
 * `http://127.0.0.1:9000/api/v3`). Makes no calls. ccxt is loaded only here, because it takes half a second and most
 * installations never need it.
 *
 * @throws BadConfig naming CCXT_EXCHANGE, when it is not set or ccxt does not know it, or CCXT_SANDBOX, when the
 * exchange has none
 */
export async function openExchange(config: ExchangeConfig, keys: ExchangeKeys = {}): Promise<Exchange> {
  if (config.id === undefined) throw new BadConfig('CCXT_EXCHANGE: names no exchange');
  const { exchanges } = await import('ccxt');
  if (!Object.hasOwn(exchanges, config.id)) throw new BadConfig(`CCXT_EXCHANGE: ccxt knows no exchange ${config.id}`);
  const KnownExchange = exchanges[config.id as keyof typeof exchanges];
  const exchange: Exchange = new KnownExchange({
    ...keys,
    enableRateLimit: true,
    ...(config.rateLimitMs !== undefined && { rateLimit: config.rateLimitMs }),
    timeout: TIMEOUT_MS,
    options: { defaultType: 'spot', fetchMarkets: { types: ['spot'] }, fetchMargins: false },
  });
  // Names of coins and networks need keys on some exchanges and are not used.
  exchange.has.fetchCurrencies = false;
  if (config.sandbox) chooseSandbox(exchange);
  if (config.url !== undefined)
    exchange.urls.api = moveAddresses(exchange.urls.api as Addresses, config.url) as typeof exchange.urls.api;
  return exchange;
}

function chooseSandbox(exchange: Exchange): void {
  if (exchange.urls.test === undefined) throw new BadConfig(`CCXT_SANDBOX: ${exchange.id} has no sandbox`);
  exchange.setSandboxMode(true);
}

/** One address, or addresses by the part of the API they serve. */
type Addresses = string | { readonly [name: string]: Addresses };

function moveAddresses(addresses: Addresses, base: string): Addresses {
  if (typeof addresses === 'string') return addresses.replace(/^https?:\/\/[^/]+/, base);
  return Object.fromEntries(Object.entries(addresses).map(([name, address]) => [name, moveAddresses(address, base)]));
}

/** Maximum length of a reason in the log. */
const MAX_REASON = 200;

/**
 * Makes a public call. Errors that ccxt reports become SourceAway; a reply that makes ccxt itself fail passes through.
 *
 * @throws SourceAway
 */
export async function askExchange<T>(exchange: Exchange, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { BaseError, DDoSProtection } = await import('ccxt');
    if (!(error instanceof BaseError)) throw error;
    const isLimit = error instanceof DDoSProtection;
    const retryAfterMs = isLimit ? readRetryAfterMs(findLastHeader(exchange, 'retry-after'), new Date()) : null;
    throw new SourceAway(`${error.constructor.name}: ${error.message.slice(0, MAX_REASON)}`, retryAfterMs);
  }
}

/** A header of the exchange's last reply, by its name in lower case. */
export function findLastHeader(exchange: Exchange, name: string): string | undefined {
  const headers: Record<string, string> = exchange.last_response_headers ?? {};
  return Object.entries(headers).find(([header]) => header.toLowerCase() === name)?.[1];
}
