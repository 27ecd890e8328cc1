import assert from 'node:assert';
import type { Balances, Exchange, MarketInterface, Order } from 'ccxt';
import { symbols } from '#contract/rules.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { coinAt, namesAt, openExchange, pairAt } from '#server/market/index.ts';
import type { OrderTerms } from '../core/execution/batch-plan.ts';
import { Exact, isQuantity } from '../core/price.ts';
import { readDecimal, readFill, toDecimal } from './read-fill.ts';
import { readStatement } from './read-statement.ts';
import {
  type OrderRequest,
  type Venue,
  type VenueBalances,
  type VenueBook,
  VenueFault,
  type VenueFaultKind,
  type VenueOrder,
} from './venue-port.ts';
import { quirksOf, refuseIncomplete, type VenueQuirks } from './venue-quirks.ts';

/**
 * The exchange refuses an order that arrives later than this after its claim time. If it still does not know the order
 * by then, none can appear (`ARRIVES_WITHIN_MS` in follow-order.ts allows for clock skew).
 */
const RECEIVE_WINDOW_MS = 5_000;
const REFRESH_AFTER_MS = 3_600_000;
/** Per side of an order book. */
const BOOK_LEVELS = 100;

/** A ccxt exchange as a venue. Its clock is the context's, and its numbers stay decimal text. */
export async function ccxtVenue(context: Pick<Context, 'now'>, exchange: Exchange): Promise<Venue> {
  const quirks = quirksOf(exchange.id);
  assert(quirks, `${exchange.id} is no exchange that this trades at`);
  exchange.milliseconds = () => context.now().getTime();
  exchange.number = String as never;
  // Orders are already whole lots and ticks, in decimals that a number cannot represent.
  exchange.amountToPrecision = (_, amount) => String(amount);
  exchange.priceToPrecision = (_, price) => String(price);
  quirks.prepare(exchange);
  refuseIncomplete(exchange, quirks);
  const faults = await import('ccxt');
  const pairOf = (symbol: string) => pairAt(exchange.id, symbol);
  let preparedAt = Number.NEGATIVE_INFINITY;
  let limit = { from: 0, until: 0, message: '' };
  /** While the exchange wants to be left alone, nothing is asked: a call could prolong a ban. */
  const refuseWhileLimited = () => {
    const now = context.now().getTime();
    // Earlier than `from` only if the clock was set back.
    if (now >= limit.from && now < limit.until) throw new VenueFault('not_taken', limit.message, limit.until - now);
  };
  const request = async <T>(call: () => Promise<T>, isOrder = false): Promise<T> => {
    refuseWhileLimited();
    try {
      return await call();
    } catch (caught) {
      const { error, isClock } = readFault(faults, { exchange, quirks, isOrder }, caught);
      // The clocks may have drifted apart: the offset is fetched again.
      if (isClock) preparedAt = Number.NEGATIVE_INFINITY;
      if (error instanceof VenueFault && error.retryAfterMs !== null) {
        const from = context.now().getTime();
        limit = { from, until: from + error.retryAfterMs, message: error.message };
      }
      throw error;
    }
  };

  /** Loads the markets, which every call needs, and the clock offset. Both are refreshed hourly. */
  const prepare = async () => {
    const now = context.now().getTime();
    if (now - preparedAt < REFRESH_AFTER_MS) return;
    await request(() => exchange.loadTimeDifference());
    await request(() => exchange.loadMarkets(true));
    if (!symbols.some((symbol) => exchange.markets?.[pairOf(symbol)]))
      throw new VenueFault('unreadable', 'it lists none of our assets');
    preparedAt = now;
  };
  const prepared =
    <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      await prepare();
      return request(() => call(...args));
    };
  const sent = new SentIds();

  return {
    dollar: namesAt(exchange.id).dollar,
    roundedPerFill: quirks.roundedPerFill ?? '0',
    coinOf: (symbol) => coinAt(exchange.id, symbol),
    listTerms: async () => {
      await prepare();
      return readTerms(exchange, quirks);
    },
    listPaused: async () => {
      await prepare();
      return symbols.filter((symbol) => exchange.markets?.[pairOf(symbol)]?.active === false);
    },
    forgetTerms: () => {
      preparedAt = Number.NEGATIVE_INFINITY;
    },
    readBook: prepared(async (symbol: string, slippage: string) =>
      readBook(await exchange.fetchOrderBook(pairOf(symbol), BOOK_LEVELS), slippage),
    ),
    findOrder: prepared(async (symbol: string, clientOrderId: string) => {
      try {
        const order = await quirks.findOrder(exchange, pairOf(symbol), clientOrderId);
        return order && readOrder(order);
      } catch (error) {
        if (error instanceof faults.OrderNotFound) return undefined;
        throw error;
      }
    }),
    sendOrder: async (order: OrderRequest) => {
      await prepare();
      sent.add(order.clientOrderId);
      const clockOffsetMs = exchange.safeInteger(exchange.options, 'timeDifference', 0) ?? 0;
      const times = { sentAt: order.sentAt.getTime() - clockOffsetMs, windowMs: RECEIVE_WINDOW_MS };
      const { id } = await request(
        () =>
          exchange.createOrder(
            pairOf(order.symbol),
            'limit',
            order.side,
            // Text, which ccxt passes through: see `amountToPrecision` above.
            order.quantity as unknown as number,
            order.limitPrice as unknown as number,
            quirks.orderParams(order.clientOrderId, times),
          ),
        true,
      );
      if (id === undefined) throw new VenueFault('unknown', `an answer without an id to order ${order.clientOrderId}`);
      return String(id);
    },
    cancelOrder: prepared(async (symbol: string, clientOrderId: string) => {
      await exchange.cancelOrder('', pairOf(symbol), { clientOrderId });
    }),
    listFills: prepared(async (symbol: string, orderId: string) =>
      (await quirks.listFills(exchange, pairOf(symbol), orderId)).map(readFill),
    ),
    listBalances: prepared(async () => readBalances(await exchange.fetchBalance())),
    listStatement: prepared((from: Date, to: Date) => readStatement(exchange, quirks.statement, { from, to })),
    getPrice: prepared(async (coin: string) =>
      readPrice(await exchange.fetchTicker(`${coin}/${namesAt(exchange.id).dollar}`), coin),
    ),
  };
}

/** Enough ids to cover the time in which the exchange could accept a repeated request. */
const MAX_SENT_IDS = 10_000;

/** Exchanges accept the id of a filled order again, so this process never sends an id twice. */
class SentIds {
  readonly #ids = new Set<string>();

  /** @throws VenueFault unknown: the caller queries the first order */
  add(id: string): void {
    if (this.#ids.has(id)) throw new VenueFault('unknown', `order ${id} was sent before`);
    this.#ids.add(id);
    if (this.#ids.size > MAX_SENT_IDS) this.#ids.delete(this.#ids.values().next().value as string);
  }
}

function readTerms(exchange: Exchange, quirks: VenueQuirks): ReadonlyMap<string, OrderTerms> {
  const terms = new Map<string, OrderTerms>();
  for (const symbol of symbols) {
    const market = exchange.markets?.[pairAt(exchange.id, symbol)] as MarketInterface | undefined;
    if (market?.active === true) terms.set(symbol, termsOf(market, quirks));
  }
  return terms;
}

const termsOf = (market: MarketInterface, { maxNotional, isFeeInCoin }: VenueQuirks): OrderTerms => {
  const { limits, precision, taker } = market;
  return {
    stepSize: readDecimal(precision.amount) ?? '1',
    tickSize: readDecimal(precision.price) ?? '1',
    minQuantity: readDecimal(limits.amount?.min) ?? '0',
    maxQuantity: readDecimal(limits.amount?.max),
    minNotional: readDecimal(limits.cost?.min) ?? '0',
    maxNotional: readDecimal(maxNotional(market)),
    takerFee: readDecimal(taker) ?? '0.001',
    isFeeInCoin,
  };
};

type Levels = readonly (readonly [unknown, unknown, ...unknown[]])[];

/** Best prices, and the depth within the slippage of the mid; undefined unless both sides are numeric. */
function readBook({ bids, asks }: { bids: unknown; asks: unknown }, slippage: string): VenueBook | undefined {
  const [buyers, sellers] = [bids as Levels, asks as Levels];
  if (![...buyers, ...sellers].every((level) => level.slice(0, 2).map(String).every(isQuantity))) return undefined;
  const [bid, ask] = [buyers[0]?.[0], sellers[0]?.[0]].map(toDecimal) as [string, string];
  if (!(Number(bid) > 0) || !(Number(ask) > 0)) return undefined;
  const mid = new Exact(bid).plus(ask).div(2);
  const sum = (levels: Levels, isNear: (price: string) => boolean) =>
    levels
      .filter(([price]) => isNear(String(price)))
      .reduce((dollars, [price, amount]) => dollars.plus(new Exact(String(price)).times(String(amount))), new Exact(0))
      .toFixed();
  return {
    bid,
    ask,
    buyDepth: sum(sellers, (price) => mid.times(new Exact(1).plus(slippage)).gte(price)),
    sellDepth: sum(buyers, (price) => mid.times(new Exact(1).minus(slippage)).lte(price)),
  };
}

const FINAL_STATUSES: readonly unknown[] = ['closed', 'canceled', 'expired', 'rejected'];

const readOrder = (order: Order): VenueOrder => ({
  id: String(order.id),
  clientOrderId: String(order.clientOrderId),
  filled: toDecimal(order.filled),
  isFinal: FINAL_STATUSES.includes(order.status),
  status: String(order.info?.status ?? order.status),
});

const readBalances = (balances: Balances): VenueBalances => ({
  total: amountsOf(balances.total),
  free: amountsOf(balances.free),
});

const amountsOf = (amounts: unknown): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(amounts as Record<string, unknown>)
      .map(([coin, amount]) => [coin, toDecimal(amount)] as const)
      .filter(([, amount]) => Math.abs(Number(amount)) > 0),
  );

function readPrice(ticker: { last?: unknown }, coin: string): string {
  const price = readDecimal(ticker.last);
  if (price === null || !(Number(price) > 0)) throw new VenueFault('unknown', `no price of ${coin}`);
  return price;
}

type Faults = typeof import('ccxt');
type FailedCall = { readonly exchange: Exchange; readonly quirks: VenueQuirks; readonly isOrder: boolean };

/** Translates a ccxt error for the call that failed. Errors that the exchange did not cause pass through. */
function readFault(
  faults: Faults,
  call: FailedCall,
  error: unknown,
): { readonly error: unknown; readonly isClock: boolean } {
  // ccxt stumbles over values of another type.
  if (error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError)
    return { error: new VenueFault('unreadable', redact(error.message, call.exchange)), isClock: false };
  if (!(error instanceof faults.BaseError)) return { error, isClock: false };
  const redacted = redact(error.message, call.exchange);
  const known = call.quirks.faults.find((fault) => fault.pattern.test(error.message));
  const kind = known?.kind ?? kindOf(faults, error, call.isOrder);
  const retryAfterMs = kind === 'not_taken' ? (readRetryAfterMs(call.exchange) ?? known?.retryAfterMs ?? null) : null;
  return {
    error: new VenueFault(kind, redacted, retryAfterMs),
    isClock: known?.isClock === true || error instanceof faults.InvalidNonce,
  };
}

function kindOf(faults: Faults, error: Error, isOrder: boolean): VenueFaultKind {
  const is = (...kinds: readonly (new (message: string) => Error)[]) => kinds.some((kind) => error instanceof kind);
  if (is(faults.DDoSProtection, faults.RateLimitExceeded, faults.InvalidNonce)) return 'not_taken';
  // The account or key may not trade this asset; everything else still works.
  if (isOrder && is(faults.PermissionDenied)) return 'refused';
  if (is(faults.AuthenticationError)) return 'unauthorised';
  if (is(faults.OnMaintenance)) return 'unreachable';
  if (is(faults.RequestTimeout, faults.ExchangeNotAvailable)) return 'unknown';
  if (is(faults.NetworkError)) return 'unreachable';
  return is(faults.ExchangeError) ? 'refused' : 'unknown';
}

/** Removes query strings, which carry signatures, and our keys: neither belongs in a log or table. */
function redact(message: string, { apiKey, secret, password }: Exchange): string {
  const redacted = message.replaceAll(/\?\S*/g, '');
  return [apiKey, secret, password]
    .reduce((text, key) => (key ? text.replaceAll(key, '…') : text), redacted)
    .slice(0, 300);
}

const MAX_RETRY_AFTER_SECONDS = 3 * 86_400;

function readRetryAfterMs(exchange: Exchange): number | null {
  const headers = (exchange.last_response_headers ?? {}) as Record<string, unknown>;
  const name = Object.keys(headers).find((header) => header.toLowerCase() === 'retry-after');
  const seconds = Number(name && headers[name]);
  return seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER_SECONDS) * 1000 : null;
}

const opened = new WeakMap<Config, Promise<Venue>>();

/** The exchange of this installation, with the trading keys; opened once per process. */
export function openVenue(context: Pick<Context, 'config' | 'now'>): Promise<Venue> {
  const { config } = context;
  const known = opened.get(config);
  if (known !== undefined) return known;
  const opening = open(context);
  opened.set(config, opening);
  opening.catch(() => opened.delete(config));
  return opening;
}

async function open(context: Pick<Context, 'config' | 'now'>): Promise<Venue> {
  const { venueKeys, market } = context.config;
  assert(venueKeys, 'a venue at an exchange has keys');
  return ccxtVenue(context, await openExchange(market.exchange, venueKeys));
}
