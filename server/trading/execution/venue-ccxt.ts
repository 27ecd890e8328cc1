import assert from 'node:assert';
import type { Balances, Exchange, MarketInterface, Order, Trade } from 'ccxt';
import { symbols } from '#contract/rules.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { openExchange, pairOf } from '#server/market/index.ts';
import type { OrderTerms } from '../core/execution/batch-plan.ts';
import { Exact } from '../core/execution/exact.ts';
import {
  type OrderRequest,
  type Venue,
  type VenueBalances,
  type VenueBook,
  VenueFault,
  type VenueFill,
  type VenueOrder,
} from './venue-port.ts';

/**
 * The exchange refuses an order that reaches it later than this after the claim it is dated by. So once this is over, and
 * it knows no such order, none can appear any more (`ARRIVES_WITHIN_MS` of follow-order.ts leaves room for clocks).
 */
const RECEIVE_WINDOW_MS = 5_000;
const PREPARED_MS = 3_600_000;
const MOST_FILLS = 1000;
/** Of each side of an order book. */
const BOOK_LEVELS = 100;

/** An exchange of ccxt as a venue. Its clock is the context's, its numbers stay decimal text. */
export async function ccxtVenue(context: Context, exchange: Exchange): Promise<Venue> {
  exchange.milliseconds = () => context.now().getTime();
  exchange.number = String as never;
  const faults = await import('ccxt');
  let preparedAt = Number.NEGATIVE_INFINITY;
  const ask = <T>(call: () => Promise<T>) =>
    call().catch((error: unknown) => {
      // Its clock and ours are apart: the difference is asked again.
      if (error instanceof faults.InvalidNonce) preparedAt = Number.NEGATIVE_INFINITY;
      return raise(faults, exchange, error);
    });

  /** The markets, known to every call, and the difference of the clocks; both are refreshed each hour. */
  const prepare = async () => {
    const now = context.now().getTime();
    if (now - preparedAt < PREPARED_MS) return;
    await ask(() => exchange.loadTimeDifference());
    await ask(() => exchange.loadMarkets(true));
    preparedAt = now;
  };
  const asked =
    <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      await prepare();
      return ask(() => call(...args));
    };

  return {
    dollar: 'USDT',
    coinOf: (symbol) => symbol.toUpperCase(),
    listTerms: async () => {
      await prepare();
      return readTerms(exchange);
    },
    readBook: asked(async (symbol: string, slippage: string) =>
      readBook(await exchange.fetchOrderBook(pairOf(symbol), BOOK_LEVELS), slippage),
    ),
    findOrder: asked(async (symbol: string, clientOrderId: string) => {
      try {
        return readOrder(await exchange.fetchOrder('', pairOf(symbol), { clientOrderId }));
      } catch (error) {
        if (error instanceof faults.OrderNotFound) return undefined;
        throw error;
      }
    }),
    sendOrder: asked(async (order: OrderRequest) => {
      const clockApartMs = exchange.safeInteger(exchange.options, 'timeDifference', 0) ?? 0;
      const accepted = await exchange.createOrder(
        pairOf(order.symbol),
        'limit',
        order.side,
        Number(order.quantity),
        Number(order.limitPrice),
        {
          timeInForce: 'IOC',
          newClientOrderId: order.clientOrderId,
          timestamp: order.sentAt.getTime() - clockApartMs,
          recvWindow: RECEIVE_WINDOW_MS,
        },
      );
      return String(accepted.id);
    }),
    cancelOrder: asked(async (symbol: string, clientOrderId: string) => {
      await exchange.cancelOrder('', pairOf(symbol), { clientOrderId });
    }),
    listFills: asked((symbol: string, orderId: string) => listAllFills(exchange, pairOf(symbol), orderId)),
    listBalances: asked(async () => readBalances(await exchange.fetchBalance())),
    getPrice: asked(async (coin: string) => readPrice(await exchange.fetchTicker(pairOf(coin)), coin)),
  };
}

function readTerms(exchange: Exchange): ReadonlyMap<string, OrderTerms> {
  const terms = new Map<string, OrderTerms>();
  for (const symbol of symbols) {
    const market = exchange.markets?.[pairOf(symbol)] as MarketInterface | undefined;
    if (market?.active === true) terms.set(symbol, termsOf(market));
  }
  return terms;
}

const termsOf = ({ limits: { amount, cost }, precision, taker }: MarketInterface): OrderTerms => ({
  stepSize: readDecimal(precision.amount) ?? '1',
  tickSize: readDecimal(precision.price) ?? '1',
  minQuantity: readDecimal(amount?.min) ?? '0',
  maxQuantity: readDecimal(amount?.max),
  minNotional: readDecimal(cost?.min) ?? '0',
  maxNotional: readDecimal(cost?.max),
  takerFee: readDecimal(taker) ?? '0.001',
});

type Levels = readonly (readonly [unknown, unknown, ...unknown[]])[];

/** Best prices, and what lies within the slippage of their mid. */
function readBook({ bids, asks }: { bids: unknown; asks: unknown }, slippage: string): VenueBook {
  const [buyers, sellers] = [bids as Levels, asks as Levels];
  const [bid, ask] = [buyers[0]?.[0], sellers[0]?.[0]].map(String) as [string, string];
  if (!(Number(bid) > 0) || !(Number(ask) > 0)) throw new VenueFault('unknown', 'an order book without prices');
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

/** ccxt declares numbers; with `number = String` they are decimal text. */
const readDecimal = (value: unknown): string | null => (value === undefined || value === null ? null : String(value));

const FINAL: readonly unknown[] = ['closed', 'canceled', 'expired', 'rejected'];

const readOrder = (order: Order): VenueOrder => ({
  id: String(order.id),
  clientOrderId: String(order.clientOrderId),
  filled: readDecimal(order.filled) ?? '0',
  isFinal: FINAL.includes(order.status),
  status: String(order.info?.status ?? order.status),
});

async function listAllFills(exchange: Exchange, pair: string, orderId: string): Promise<VenueFill[]> {
  const fills: VenueFill[] = [];
  for (;;) {
    const last = fills.at(-1);
    const from = last === undefined ? {} : { fromId: String(BigInt(last.tradeId) + 1n) };
    const page = await exchange.fetchMyTrades(pair, undefined, MOST_FILLS, { orderId, ...from });
    fills.push(...page.map(readFill));
    if (page.length < MOST_FILLS) return fills;
  }
}

const readFill = (trade: Trade): VenueFill => ({
  tradeId: String(trade.id),
  quantity: String(trade.amount),
  cost: String(trade.cost),
  feeQuantity: readDecimal(trade.fee?.cost) ?? '0',
  feeCoin: Number(trade.fee?.cost ?? 0) === 0 ? null : String(trade.fee?.currency),
  filledAt: new Date(trade.timestamp as number),
});

const readBalances = (balances: Balances): VenueBalances => ({
  total: amountsOf(balances.total),
  free: amountsOf(balances.free),
});

const amountsOf = (amounts: unknown): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(amounts as Record<string, unknown>)
      .map(([coin, amount]) => [coin, String(amount)] as const)
      .filter(([, amount]) => Number(amount) > 0),
  );

function readPrice(ticker: { last?: unknown }, coin: string): string {
  const price = readDecimal(ticker.last);
  if (price === null || !(Number(price) > 0)) throw new VenueFault('unknown', `no price of ${coin}`);
  return price;
}

type Faults = typeof import('ccxt');

/** What one of ccxt's errors means for what was asked. Anything that is not the exchange's doing is thrown on as it is. */
function raise(faults: Faults, exchange: Exchange, error: unknown): never {
  if (error instanceof SyntaxError || error instanceof RangeError) throw new VenueFault('unreadable', error.message);
  if (!(error instanceof faults.BaseError)) throw error;
  const words = wordsOf(error.message);
  if (error instanceof faults.DDoSProtection || error instanceof faults.RateLimitExceeded)
    throw new VenueFault('not_taken', words, readRetryAfterMs(exchange));
  if (error instanceof faults.InvalidNonce) throw new VenueFault('not_taken', words);
  if (error instanceof faults.AuthenticationError) throw new VenueFault('unauthorised', words);
  if (error instanceof faults.RequestTimeout || error instanceof faults.ExchangeNotAvailable)
    throw new VenueFault('unknown', words);
  if (error instanceof faults.NetworkError) throw new VenueFault('unreachable', words);
  // An order with this id is there already: what came of it is asked.
  if (error instanceof faults.InvalidOrder && /duplicate/i.test(words)) throw new VenueFault('unknown', words);
  if (error instanceof faults.ExchangeError) throw new VenueFault('refused', words);
  throw new VenueFault('unknown', words);
}

/** Addresses of signed calls carry their signature, which no log or table needs to keep. */
const wordsOf = (message: string): string => message.replaceAll(/\?\S*/g, '').slice(0, 300);

const LONGEST_ASKED_SECONDS = 3 * 86_400;

function readRetryAfterMs(exchange: Exchange): number | null {
  const headers = exchange.last_response_headers as Record<string, unknown> | undefined;
  const seconds = Number(headers?.['Retry-After']);
  return seconds > 0 ? Math.min(seconds, LONGEST_ASKED_SECONDS) * 1000 : null;
}

const opened = new WeakMap<Config, Promise<Venue>>();

/** The exchange of this installation, with the keys that may trade; opened once a process. */
export function openVenue(context: Context): Promise<Venue> {
  const { config } = context;
  const known = opened.get(config);
  if (known !== undefined) return known;
  const opening = open(context);
  opened.set(config, opening);
  opening.catch(() => opened.delete(config));
  return opening;
}

async function open(context: Context): Promise<Venue> {
  const { venueKeys, market } = context.config;
  assert(venueKeys, 'a venue at an exchange has keys');
  return ccxtVenue(context, await openExchange(market.exchange, venueKeys));
}
