import type { Exchange, MarketInterface, Order, Trade } from 'ccxt';
import {
  binanceStatement,
  binanceUsStatement,
  krakenStatement,
  okxStatement,
  type StatementQuirks,
} from './statement-quirks.ts';
import type { VenueFaultKind } from './venue-port.ts';

/** When an order was claimed and how long the exchange may accept it, in milliseconds of the exchange's clock. */
export type OrderTimes = { readonly sentAt: number; readonly windowMs: number };

/** An exchange error that ccxt does not classify, or not precisely enough for sending an order exactly once. */
export type KnownFault = {
  readonly pattern: RegExp;
  readonly kind: VenueFaultKind;
  /** Back-off when the response does not state one. */
  readonly retryAfterMs?: number;
  /** The clocks may have drifted apart: the offset is fetched again. */
  readonly isClock?: boolean;
};

/** A parsed answer of unknown shape; never null. */
// biome-ignore lint/suspicious/noExplicitAny: every field is checked.
export type Answer = any;

/** How exchanges differ in sending an order exactly once (docs/exchanges.md). */
export type VenueQuirks = {
  readonly needsPassword: boolean;
  /** Whether a purchase pays its fee in the coin by default. */
  readonly isFeeInCoin: boolean;
  /** Kraken's dollar balances have four decimals, its fills and fees five. */
  readonly roundedPerFill?: string;
  /** Whether an answer has the list that the call asks for; ccxt takes a missing one as empty. */
  readonly isWhole: (path: string, answer: Answer) => boolean;
  /** Setup that ccxt does not do, run once when the exchange is opened. */
  readonly prepare: (exchange: Exchange) => void;
  /** Parameters of an immediate-or-cancel limit order: our id, and the time after which the exchange refuses it. */
  readonly orderParams: (clientOrderId: string, times: OrderTimes) => Readonly<Record<string, unknown>>;
  /** @throws OrderNotFound, or returns undefined, when there is none */
  readonly findOrder: (exchange: Exchange, pair: string, clientOrderId: string) => Promise<Order | undefined>;
  /** All fills of an order, oldest first. */
  readonly listFills: (exchange: Exchange, pair: string, orderId: string) => Promise<readonly Trade[]>;
  /** Largest dollar value of one limit order, as the exchange reports it; undefined without a limit. */
  readonly maxNotional: (market: MarketInterface) => unknown;
  /** How its account statement is read and paged. */
  readonly statement: StatementQuirks;
  readonly faults: readonly KnownFault[];
};

const findById = (exchange: Exchange, pair: string, clientOrderId: string): Promise<Order> =>
  exchange.fetchOrder('', pair, { clientOrderId });

const BINANCE_PAGE = 1000;

const BINANCE_LISTS: readonly string[] = ['myTrades', 'capital/deposit/hisrec', 'capital/withdraw/history'];

const binance: VenueQuirks = {
  needsPassword: false,
  isFeeInCoin: true,
  isWhole: (path, answer) => {
    if (BINANCE_LISTS.includes(path)) return Array.isArray(answer);
    if (path === 'order') return Boolean(answer.executedQty);
    return path !== 'account' || Array.isArray(answer.balances);
  },
  prepare: () => {},
  orderParams: (newClientOrderId, { sentAt, windowMs }) => ({
    timeInForce: 'IOC',
    newClientOrderId,
    timestamp: sentAt,
    recvWindow: windowMs,
  }),
  findOrder: findById,
  listFills: async (exchange, pair, orderId) => {
    const fills: Trade[] = [];
    for (;;) {
      const last = fills.at(-1);
      const from = last === undefined ? {} : { fromId: String(BigInt(String(last.id)) + 1n) };
      const page = await exchange.fetchMyTrades(pair, undefined, BINANCE_PAGE, { orderId, ...from });
      fills.push(...page);
      if (page.length < BINANCE_PAGE) return fills;
    }
  },
  maxNotional: ({ limits }) => limits.cost?.max,
  statement: binanceStatement,
  faults: [{ pattern: /Duplicate order sent/, kind: 'unknown' }],
};

const KRAKEN_LISTS = new Map([
  ['OpenOrders', 'open'],
  ['ClosedOrders', 'closed'],
  ['Ledgers', 'ledger'],
  ['TradesHistory', 'trades'],
]);

/** Kraken accepts 20 ids per call, but ccxt makes one call too many at exactly 20. */
const KRAKEN_FILLS = 19;

const kraken: VenueQuirks = {
  needsPassword: false,
  isFeeInCoin: false,
  roundedPerFill: '0.0001',
  isWhole: (path, { result }) => {
    const list = KRAKEN_LISTS.get(path);
    return isObject(list === undefined ? result : result?.[list]);
  },
  prepare: (exchange) => {
    makeNoncesUnique(exchange);
    serializeRequests(exchange);
    nameDelisted(exchange);
  },
  orderParams: (clientOrderId, { sentAt, windowMs }) => ({
    timeInForce: 'IOC',
    clientOrderId,
    // Charge the fee in dollars on both sides.
    oflags: 'fciq',
    deadline: new Date(sentAt + windowMs).toISOString(),
  }),
  // Only lists can be filtered by our id. Open orders come first, because one that closes meanwhile appears in the
  // other list.
  findOrder: async (exchange, pair, clientOrderId) => {
    const known = listed(exchange, pair);
    const [open] = await exchange.fetchOpenOrders(known, undefined, undefined, { clientOrderId });
    const found = open ?? (await exchange.fetchClosedOrders(known, undefined, undefined, { clientOrderId })).at(-1);
    // Throws for a delisted pair: that it has no such order would prove nothing.
    if (found === undefined) exchange.market(pair);
    return found;
  },
  listFills: async (exchange, pair, orderId) => {
    const known = listed(exchange, pair);
    const { trades } = await exchange.fetchOrder(orderId, known);
    const fills: Trade[] = [];
    for (let from = 0; from < trades.length; from += KRAKEN_FILLS) {
      const ids = trades.slice(from, from + KRAKEN_FILLS).map(({ id }) => id);
      fills.push(...(await exchange.fetchOrderTrades(orderId, known, undefined, undefined, { trades: ids })));
    }
    return fills.toSorted((one, other) => (one.timestamp ?? 0) - (other.timestamp ?? 0));
  },
  maxNotional: () => undefined,
  statement: krakenStatement,
  faults: [
    // The deadline passed. Kraken advises to look up the order all the same.
    { pattern: /deadline/i, kind: 'unknown', isClock: true },
    { pattern: /cl_ord_id/, kind: 'unknown' },
    { pattern: /EAPI:Invalid signature/, kind: 'unauthorised' },
    { pattern: /Temporary lockout/, kind: 'not_taken', retryAfterMs: 900_000 },
    { pattern: /Rate limit exceeded|Too many requests|EService:Throttled/, kind: 'not_taken', retryAfterMs: 5000 },
    { pattern: /EService:Market in (cancel|post)_only mode/, kind: 'refused' },
    { pattern: /EService:/, kind: 'unknown' },
  ],
};

/**
 * A nonce may be used only once, and two calls may fall into the same millisecond. None is ahead of the exchange's time
 * as last read, counted on: until that time, Kraken would refuse the next process, whose clock is right again.
 */
function makeNoncesUnique(exchange: Exchange): void {
  const nonceOf = exchange.nonce.bind(exchange);
  const loadTimeDifference = exchange.loadTimeDifference.bind(exchange);
  let startedAt = Number.POSITIVE_INFINITY;
  let last = 0;
  exchange.loadTimeDifference = async (...rest) => {
    const difference = await loadTimeDifference(...rest);
    startedAt = nonceOf() - performance.now();
    return difference;
  };
  exchange.nonce = () => {
    last = Math.max(last + 1, Math.min(nonceOf(), Math.floor(startedAt + performance.now())));
    return last;
  };
}

/** Kraken rejects a nonce lower than the last, and concurrent calls may overtake each other. */
function serializeRequests(exchange: Exchange): void {
  const request = exchange.request.bind(exchange);
  let before: Promise<unknown> = Promise.resolve();
  exchange.request = (path, api, ...rest) => {
    if (api !== 'private') return request(path, api, ...rest);
    const call = before.then(() => request(path, api, ...rest));
    before = call.catch(() => {});
    return call;
  };
}

/** Orders are found without their pair, which ccxt refuses once it is delisted. */
const listed = (exchange: Exchange, pair: string): string | undefined => exchange.markets?.[pair] && pair;

/** Fills stay listed when their pair no longer is, by its old name alone: `XXBT` or `SOL`, then the dollar. */
function nameDelisted(exchange: Exchange): void {
  const safeMarket = exchange.safeMarket.bind(exchange);
  exchange.safeMarket = (id, ...rest) => {
    const market = safeMarket(id, ...rest);
    if (id === undefined || market.symbol !== id) return market;
    const parts = /^(X\w{3})([XZ]\w{3})$/.exec(id) ?? /^(.+?)(USD[TC]?|.{3})$/.exec(id) ?? [];
    const coinOf = (part = '') => exchange.safeCurrencyCode(part) ?? '';
    const [base, quote] = [coinOf(parts[1]), coinOf(parts[2])];
    return { ...market, base, quote, symbol: `${base}/${quote}` };
  };
}

const OKX_PAGE = 100;

const okx: VenueQuirks = {
  needsPassword: true,
  isFeeInCoin: true,
  isWhole: (path, { data }) => Array.isArray(path === 'account/balance' ? data?.[0]?.details : data),
  prepare: (exchange) => {
    exchange.options.createOrder = 'privatePostTradeOrder';
    sendExpTime(exchange);
  },
  orderParams: (clOrdId, { sentAt, windowMs }) => ({
    timeInForce: 'IOC',
    clOrdId,
    expTime: String(sentAt + windowMs),
  }),
  findOrder: findById,
  listFills: async (exchange, pair, orderId) => {
    let fills: Trade[] = [];
    for (;;) {
      const earliest = fills[0]?.info.billId;
      const before = earliest === undefined ? {} : { after: String(earliest) };
      const page = await exchange.fetchMyTrades(pair, undefined, OKX_PAGE, { ordId: orderId, ...before });
      fills = [...page.toSorted(byBill), ...fills];
      if (page.length < OKX_PAGE) return fills;
    }
  },
  maxNotional: ({ info }) => info.maxLmtAmt,
  statement: okxStatement,
  faults: [
    { pattern: /"s?[cC]ode":"(51149|50004)"/, kind: 'unknown', isClock: true },
    { pattern: /"s?[cC]ode":"51016"/, kind: 'unknown' },
    // Without a code it neither accepts nor refuses.
    { pattern: /^okx [[{](?!.*"code":")/s, kind: 'unreadable' },
    { pattern: /"s?[cC]ode":"(50011|50061)"/, kind: 'not_taken', retryAfterMs: 2000 },
  ],
};

const byBill = (one: Trade, other: Trade): number => (BigInt(one.info.billId) < BigInt(other.info.billId) ? -1 : 1);

/** OKX expects the order deadline as a header, for which ccxt has no parameter. */
function sendExpTime(exchange: Exchange): void {
  const sign = exchange.sign.bind(exchange);
  exchange.sign = (path, api, method, params: Record<string, unknown>, ...rest) => {
    if (path !== 'trade/order' || method !== 'POST') return sign(path, api, method, params, ...rest);
    const { expTime, ...order } = params;
    const signed = sign(path, api, method, order, ...rest);
    return { ...signed, headers: { ...signed.headers, expTime } };
  };
}

const quirks: Readonly<Record<string, VenueQuirks>> = {
  binance,
  binanceus: { ...binance, statement: binanceUsStatement },
  kraken,
  okx,
};

/** Refuses answers without their content before ccxt reads them, as it refuses those that are no JSON. */
export function refuseIncomplete(exchange: Exchange, { isWhole }: VenueQuirks): void {
  const request = exchange.request.bind(exchange);
  exchange.request = async (path, ...rest) => {
    const answer = await request(path, ...rest);
    if (!isObject(answer) || !isWhole(path, answer)) throw new SyntaxError(`an answer to ${path} without its content`);
    return answer;
  };
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** By ccxt's id; undefined for an unsupported exchange. */
export const quirksOf = (id: string): VenueQuirks | undefined => quirks[id];
