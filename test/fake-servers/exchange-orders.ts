import type { ExchangePair, PriceMarket } from './exchange-prices.ts';
import type { Answer } from './serve-json.ts';

/** Coins and dollars here are integers of 10⁻⁸, the exchange's own precision. */
const UNIT = 100_000_000n;
const BPS = 10_000n;

export const toUnits = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.slice(0, 8).padEnd(8, '0'));
};
export const toText = (units: bigint): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(9, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`;
};

export type NodeTrade = {
  readonly id: number;
  readonly orderId: number;
  readonly symbol: string;
  readonly price: bigint;
  readonly quantity: bigint;
  readonly cost: bigint;
  readonly fee: bigint;
  readonly feeCoin: string;
  readonly isBuy: boolean;
  readonly at: number;
};

export type NodeOrder = {
  readonly id: number;
  readonly clientId: string;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: bigint;
  readonly limit: bigint;
  readonly at: number;
  filled: bigint;
  cost: bigint;
  status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED';
};

/** How orders meet the book; change any of it while it runs. */
export type Book = {
  /** Fills are this much worse than the last price. */
  slippageBps: bigint;
  /** An order is filled in so many pieces, each a basis point worse than the one before; none beyond its limit. */
  pieces: number;
  /** Coins that each piece has at most. */
  coinsAPiece: string;
  /** Of each order this share is filled. */
  filledBps: bigint;
  /** Whether the rest stays in the book; otherwise it expires at once, as IOC orders do. */
  keepsRest: boolean;
  feeBps: bigint;
  /** The fee is taken in the coin that is received, or in a coin of its own at ten dollars each. */
  feeCoin: 'received' | 'BNB';
  /** This many looks at an order's fills find none yet. */
  fillsLag: number;
};

export type ExchangeAccount = {
  readonly balances: Map<string, bigint>;
  /** All that were ever accepted, oldest first. */
  readonly orders: NodeOrder[];
  readonly trades: NodeTrade[];
  readonly book: Book;
};

export const openAccount = (balances: Readonly<Record<string, string>>): ExchangeAccount => ({
  balances: new Map(Object.entries(balances).map(([coin, amount]) => [coin, toUnits(amount)])),
  orders: [],
  trades: [],
  book: {
    slippageBps: 0n,
    pieces: 1,
    coinsAPiece: '1000000',
    filledBps: BPS,
    keepsRest: false,
    feeBps: 10n,
    feeCoin: 'received',
    fillsLag: 0,
  },
});

const ok = (body: unknown): Answer => ({ status: 200, body });
export const refuse = (code: number, msg: string, status = 400): Answer => ({ status, body: { code, msg } });

/** `POST /api/v3/order` for limit orders that fill at once, with the checks of the real one in its order. */
export function placeOrder(account: ExchangeAccount, market: PriceMarket, asked: URLSearchParams): Answer {
  const symbol = asked.get('symbol') ?? '';
  const pair = market.pairs.get(symbol);
  if (pair === undefined) return refuse(-1121, 'Invalid symbol.');
  if (asked.get('type') !== 'LIMIT') return refuse(-1116, 'Invalid orderType.');
  if (asked.get('timeInForce') !== 'IOC') return refuse(-1115, 'Invalid timeInForce.');
  const side = asked.get('side');
  if (side !== 'BUY' && side !== 'SELL') return refuse(-1117, 'Invalid side.');
  const clientId = asked.get('newClientOrderId') ?? `auto${account.orders.length}`;
  if (!/^[.A-Z:/a-z0-9_-]{1,36}$/.test(clientId))
    return refuse(-1100, "Illegal characters found in parameter 'newClientOrderId'.");
  const quantity = toUnits(asked.get('quantity') ?? '0');
  const limit = toUnits(asked.get('price') ?? '0');
  const refusal = refuseByFilter(pair, quantity, limit) ?? refuseByBalance(account, pair, { side, quantity, limit });
  if (refusal !== undefined) return refusal;
  // The real one refuses a client id only while an order of that id is open; it takes it again afterwards.
  if (account.orders.some((order) => order.clientId === clientId && isOpen(order)))
    return refuse(-2010, 'Duplicate order sent.');
  const order: NodeOrder = {
    id: 1_000 + account.orders.length,
    clientId,
    symbol,
    side,
    quantity,
    limit,
    at: market.now(),
    filled: 0n,
    cost: 0n,
    status: 'NEW',
  };
  account.orders.push(order);
  fillOrder(account, pair, order);
  const fills = account.trades.filter((trade) => trade.orderId === order.id);
  return ok({ ...describeOrder(order), transactTime: order.at, fills: fills.map(describeFill) });
}

function refuseByFilter(pair: ExchangePair, quantity: bigint, limit: bigint): Answer | undefined {
  if (pair.status !== 'TRADING') return refuse(-1013, 'Market is closed.');
  if (quantity <= 0n) return refuse(-1013, 'Invalid quantity.');
  const isLot = quantity >= toUnits(pair.minQuantity) && quantity % toUnits(pair.stepSize) === 0n;
  if (!isLot || quantity > toUnits(pair.maxQuantity)) return refuse(-1013, 'Filter failure: LOT_SIZE');
  if (limit <= 0n || limit % toUnits(pair.tickSize) !== 0n) return refuse(-1013, 'Filter failure: PRICE_FILTER');
  const notional = (quantity * limit) / UNIT;
  return notional < toUnits(pair.minNotional) ? refuse(-1013, 'Filter failure: NOTIONAL') : undefined;
}

function refuseByBalance(
  { balances }: ExchangeAccount,
  pair: ExchangePair,
  { side, quantity, limit }: { readonly side: 'BUY' | 'SELL'; readonly quantity: bigint; readonly limit: bigint },
): Answer | undefined {
  const dollars = (quantity * limit) / UNIT;
  const [coin, needed] = side === 'BUY' ? ['USDT', dollars] : [pair.base.toUpperCase(), quantity];
  const has = balances.get(coin as string) ?? 0n;
  return has < (needed as bigint) ? refuse(-2010, 'Account has insufficient balance for requested action.') : undefined;
}

const isOpen = (order: NodeOrder): boolean => order.status === 'NEW' || order.status === 'PARTIALLY_FILLED';

function fillOrder(account: ExchangeAccount, pair: ExchangePair, order: NodeOrder): void {
  const { book } = account;
  const step = toUnits(pair.stepSize);
  const wanted = ((order.quantity * book.filledBps) / BPS / step) * step;
  for (let piece = 0; piece < book.pieces; piece += 1) {
    const isLast = piece === book.pieces - 1;
    const share = (wanted / BigInt(book.pieces) / step) * step;
    const there = toUnits(book.coinsAPiece);
    const asked = isLast ? wanted - order.filled : share;
    const quantity = asked < there ? asked : there;
    const price = priceOf(pair, order.side, book.slippageBps + BigInt(piece));
    const isWithin = order.side === 'BUY' ? price <= order.limit : price >= order.limit;
    if (quantity > 0n && isWithin) tradeOnce(account, pair, order, { quantity, price });
  }
  if (order.filled === order.quantity) order.status = 'FILLED';
  else if (!book.keepsRest) order.status = 'EXPIRED';
  else order.status = order.filled > 0n ? 'PARTIALLY_FILLED' : 'NEW';
}

function tradeOnce(
  account: ExchangeAccount,
  pair: ExchangePair,
  order: NodeOrder,
  { quantity, price }: { readonly quantity: bigint; readonly price: bigint },
): void {
  const isBuy = order.side === 'BUY';
  const base = pair.base.toUpperCase();
  const cost = (price * quantity) / UNIT;
  const feeCoin = account.book.feeCoin === 'BNB' ? 'BNB' : isBuy ? base : 'USDT';
  const feeOf = account.book.feeCoin === 'BNB' ? cost / 10n : isBuy ? quantity : cost;
  const fee = (feeOf * account.book.feeBps) / BPS;
  const { balances, trades } = account;
  const add = (coin: string, units: bigint) => balances.set(coin, (balances.get(coin) ?? 0n) + units);
  add(base, isBuy ? quantity : -quantity);
  add('USDT', isBuy ? -cost : cost);
  add(feeCoin, -fee);
  order.filled += quantity;
  order.cost += cost;
  const id = 50_000 + trades.length;
  trades.push({
    id,
    orderId: order.id,
    symbol: order.symbol,
    price,
    quantity,
    cost,
    fee,
    feeCoin,
    isBuy,
    at: order.at,
  });
}

/** In whole ticks, as every price of a book. */
function priceOf(pair: ExchangePair, side: 'BUY' | 'SELL', worseBps: bigint): bigint {
  const tick = toUnits(pair.tickSize);
  return ((toUnits(pair.lastPrice) * (BPS + (side === 'BUY' ? worseBps : -worseBps))) / BPS / tick) * tick;
}

/** `GET /api/v3/depth`: what orders meet. */
export function showBook({ book }: ExchangeAccount, market: PriceMarket, asked: URLSearchParams): Answer {
  const pair = market.pairs.get(asked.get('symbol') ?? '');
  if (pair === undefined) return refuse(-1121, 'Invalid symbol.');
  const levels = (side: 'BUY' | 'SELL') =>
    Array.from({ length: book.pieces }, (_, piece) => [
      toText(priceOf(pair, side, book.slippageBps + BigInt(piece))),
      book.coinsAPiece,
    ]);
  return ok({ lastUpdateId: 1, bids: levels('SELL'), asks: levels('BUY') });
}

/** `GET /api/v3/order` by `origClientOrderId` or `orderId`; of several with one id the newest, as the real one. */
export function showOrder(account: ExchangeAccount, asked: URLSearchParams): Answer {
  const order = findOrder(account, asked);
  return order === undefined ? refuse(-2013, 'Order does not exist.') : ok(describeOrder(order));
}

/** `DELETE /api/v3/order`. */
export function cancelOrder(account: ExchangeAccount, asked: URLSearchParams): Answer {
  const order = findOrder(account, asked);
  if (order === undefined || !isOpen(order)) return refuse(-2011, 'Unknown order sent.');
  order.status = 'CANCELED';
  return ok(describeOrder(order));
}

const findOrder = (account: ExchangeAccount, asked: URLSearchParams): NodeOrder | undefined =>
  account.orders.findLast(
    (order) =>
      order.symbol === asked.get('symbol') &&
      (order.clientId === asked.get('origClientOrderId') || String(order.id) === asked.get('orderId')),
  );

/** `GET /api/v3/myTrades`. */
export function listTrades(account: ExchangeAccount, asked: URLSearchParams): Answer {
  if (account.book.fillsLag > 0) {
    account.book.fillsLag -= 1;
    return ok([]);
  }
  const orderId = asked.get('orderId');
  const from = Number(asked.get('fromId') ?? 0);
  const found = account.trades.filter(
    (trade) =>
      trade.symbol === asked.get('symbol') &&
      trade.id >= from &&
      (orderId === null || String(trade.orderId) === orderId),
  );
  return ok(found.slice(0, Number(asked.get('limit') ?? 500)).map(describeTrade));
}

/** `GET /api/v3/account`. */
export const showAccount = (account: ExchangeAccount, now: number): Answer =>
  ok({
    makerCommission: 10,
    takerCommission: 10,
    canTrade: true,
    canWithdraw: false,
    canDeposit: true,
    updateTime: now,
    accountType: 'SPOT',
    balances: [...account.balances].map(([asset, units]) => ({ asset, free: toText(units), locked: '0.00000000' })),
    permissions: ['SPOT'],
  });

const describeOrder = (order: NodeOrder) => ({
  symbol: order.symbol,
  orderId: order.id,
  orderListId: -1,
  clientOrderId: order.clientId,
  price: toText(order.limit),
  origQty: toText(order.quantity),
  executedQty: toText(order.filled),
  cummulativeQuoteQty: toText(order.cost),
  status: order.status,
  type: 'LIMIT',
  timeInForce: 'IOC',
  side: order.side,
  stopPrice: '0.00000000',
  icebergQty: '0.00000000',
  time: order.at,
  updateTime: order.at,
  isWorking: true,
  workingTime: order.at,
  origQuoteOrderQty: '0.00000000',
  selfTradePreventionMode: 'EXPIRE_MAKER',
});

const describeFill = (trade: NodeTrade) => ({
  price: toText(trade.price),
  qty: toText(trade.quantity),
  commission: toText(trade.fee),
  commissionAsset: trade.feeCoin,
  tradeId: trade.id,
});

const describeTrade = (trade: NodeTrade) => ({
  symbol: trade.symbol,
  id: trade.id,
  orderId: trade.orderId,
  orderListId: -1,
  price: toText(trade.price),
  qty: toText(trade.quantity),
  quoteQty: toText(trade.cost),
  commission: toText(trade.fee),
  commissionAsset: trade.feeCoin,
  time: trade.at,
  isBuyer: trade.isBuy,
  isMaker: false,
  isBestMatch: true,
});
