import type { ExchangePair, PriceMarket } from './exchange-market.ts';

/** Coins and dollars are integers of 10⁻⁸ here, finer than any exchange counts. */
export const UNIT = 100_000_000n;
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
  /** The exchange's name of the pair, which may be delisted since, and its coin. */
  readonly symbol: string;
  readonly coin: string;
  readonly price: bigint;
  readonly quantity: bigint;
  readonly cost: bigint;
  readonly fee: bigint;
  readonly feeCoin: string;
  readonly isBuy: boolean;
  readonly at: number;
  /** Whether the lists have it by now. */
  readonly isListed: () => boolean;
};

export type NodeOrder = {
  readonly id: number;
  readonly clientId: string;
  readonly symbol: string;
  readonly coin: string;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: bigint;
  readonly limit: bigint;
  readonly at: number;
  readonly isListed: (lateMs?: number) => boolean;
  filled: bigint;
  cost: bigint;
  status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED';
};

/** How orders match; may change while the server runs. */
export type Book = {
  /** Fills are worse than the last price by this much. */
  slippageBps: bigint;
  /** The number of fills of an order, each a basis point worse than the previous one, none beyond the limit. */
  pieces: number;
  /** The most coins of a fill. */
  coinsAPiece: string;
  /** The share of each order that is filled. */
  filledBps: bigint;
  /** Whether the rest stays open; otherwise it expires at once, as with IOC orders. */
  keepsRest: boolean;
  feeBps: bigint;
  /** The fee is charged in the received coin, in dollars, or in a third coin at ten dollars each. */
  feeCoin: 'received' | 'dollar' | 'BNB';
  /** This many queries for an order's fills return none yet. */
  fillsLag: number;
  /** An order is found this long after it was taken. */
  orderDelayMs: number;
  /** Its last fill is listed this long after that; the others one by one before. */
  fillsDelayMs: number;
};

/** A balance change that is not a trade. */
export type NodeMovement = {
  readonly id: number;
  readonly kind: 'deposit' | 'withdrawal' | 'other';
  /** The exchange's symbol. */
  readonly coin: string;
  /** Signed, before the fee. */
  readonly amount: bigint;
  readonly fee: bigint;
  readonly at: number;
  /** Hash of the transaction on the network. */
  readonly transaction: string;
};

/** Steps that dollars are rounded to: those of a fill and its fee, and what of them moves the balance. */
type DollarSteps = { readonly fill: bigint; readonly balance: bigint };

const roundTo = (units: bigint, step: bigint): bigint => ((2n * units + step) / (2n * step)) * step;

export type ExchangeAccount = {
  /** The exchange's symbol of its dollar. */
  readonly dollar: string;
  readonly steps: DollarSteps;
  readonly balances: Map<string, bigint>;
  /** All accepted orders, oldest first. */
  readonly orders: NodeOrder[];
  readonly trades: NodeTrade[];
  readonly movements: NodeMovement[];
  readonly book: Book;
};

export const openAccount = (
  balances: Readonly<Record<string, string>>,
  dollar = 'USDT',
  feeCoin: Book['feeCoin'] = 'received',
  steps: DollarSteps = { fill: 1n, balance: 1n },
): ExchangeAccount => ({
  dollar,
  steps,
  balances: new Map(Object.entries(balances).map(([coin, amount]) => [coin, toUnits(amount)])),
  orders: [],
  trades: [],
  movements: [],
  book: {
    slippageBps: 0n,
    pieces: 1,
    coinsAPiece: '1000000',
    filledBps: BPS,
    keepsRest: false,
    feeBps: 10n,
    feeCoin,
    fillsLag: 0,
    orderDelayMs: 0,
    fillsDelayMs: 0,
  },
});

export type OrderAsk = {
  readonly symbol: string;
  readonly clientId: string;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: bigint;
  readonly limit: bigint;
};

/** Why an order is rejected; each exchange has its own error for it. */
export type Refusal = 'symbol' | 'closed' | 'quantity' | 'lot' | 'price' | 'notional' | 'funds' | 'duplicate';

/** Accepts a limit order that fills at once, after the checks that all exchanges make. */
export function placeOrder(account: ExchangeAccount, market: PriceMarket, ask: OrderAsk): NodeOrder | Refusal {
  const pair = market.pairs.get(ask.symbol);
  if (pair === undefined) return 'symbol';
  const refusal = refuseByTerms(pair, ask) ?? refuseByBalance(account, pair, ask);
  if (refusal !== undefined) return refusal;
  // As at the real exchanges, a client id is rejected only while an order with it is open.
  if (account.orders.some((order) => order.clientId === ask.clientId && isOpen(order))) return 'duplicate';
  const at = market.now();
  const { orderDelayMs } = account.book;
  const order: NodeOrder = {
    ...ask,
    coin: pair.coin,
    id: 1_000 + account.orders.length,
    at,
    isListed: (lateMs = 0) => Math.max(0, market.now() - at) >= orderDelayMs + lateMs,
    filled: 0n,
    cost: 0n,
    status: 'NEW',
  };
  account.orders.push(order);
  fillOrder(account, pair, order);
  return order;
}

function refuseByTerms(pair: ExchangePair, { quantity, limit }: OrderAsk): Refusal | undefined {
  if (pair.status !== 'TRADING') return 'closed';
  if (quantity <= 0n) return 'quantity';
  const isLot = quantity >= toUnits(pair.minQuantity) && quantity % toUnits(pair.stepSize) === 0n;
  if (!isLot || quantity > toUnits(pair.maxQuantity)) return 'lot';
  if (limit <= 0n || limit % toUnits(pair.tickSize) !== 0n) return 'price';
  return (quantity * limit) / UNIT < toUnits(pair.minNotional) ? 'notional' : undefined;
}

function refuseByBalance(
  { balances, dollar }: ExchangeAccount,
  pair: ExchangePair,
  { side, quantity, limit }: OrderAsk,
): Refusal | undefined {
  const [coin, needed] = side === 'BUY' ? [dollar, (quantity * limit) / UNIT] : [pair.coin, quantity];
  return (balances.get(coin as string) ?? 0n) < (needed as bigint) ? 'funds' : undefined;
}

export const isOpen = (order: NodeOrder): boolean => order.status === 'NEW' || order.status === 'PARTIALLY_FILLED';

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
    const delayMs = (book.fillsDelayMs * (piece + 1)) / book.pieces;
    if (quantity > 0n && isWithin) tradeOnce(account, pair, order, { quantity, price, delayMs });
  }
  if (order.filled === order.quantity) order.status = 'FILLED';
  else if (!book.keepsRest) order.status = 'EXPIRED';
  else order.status = order.filled > 0n ? 'PARTIALLY_FILLED' : 'NEW';
}

function tradeOnce(
  account: ExchangeAccount,
  pair: ExchangePair,
  order: NodeOrder,
  { quantity, price, delayMs }: { readonly quantity: bigint; readonly price: bigint; readonly delayMs: number },
): void {
  const isBuy = order.side === 'BUY';
  const { steps } = account;
  const cost = roundTo((price * quantity) / UNIT, steps.fill);
  const { coin } = pair;
  const charged = feeOf(account, { isBuy, coin, quantity, cost });
  const { balances, dollar, trades } = account;
  const { feeCoin } = charged;
  const fee = feeCoin === dollar ? roundTo(charged.fee, steps.fill) : charged.fee;
  const add = (name: string, units: bigint) => {
    const moved =
      name === dollar ? (units < 0n ? -roundTo(-units, steps.balance) : roundTo(units, steps.balance)) : units;
    balances.set(name, (balances.get(name) ?? 0n) + moved);
  };
  add(coin, isBuy ? quantity : -quantity);
  add(dollar, isBuy ? -cost : cost);
  add(feeCoin, -fee);
  order.filled += quantity;
  order.cost += cost;
  const { id: orderId, symbol, at } = order;
  const isListed = () => order.isListed(delayMs);
  trades.push({
    ...{ id: 50_000 + trades.length, orderId, symbol, coin, price, quantity, cost, fee, feeCoin, isBuy, at, isListed },
  });
}

function feeOf(
  { book, dollar }: ExchangeAccount,
  fill: { isBuy: boolean; coin: string; quantity: bigint; cost: bigint },
): { fee: bigint; feeCoin: string } {
  const isInCoin = book.feeCoin === 'received' && fill.isBuy;
  const feeCoin = book.feeCoin === 'BNB' ? 'BNB' : isInCoin ? fill.coin : dollar;
  const of = book.feeCoin === 'BNB' ? fill.cost / 10n : isInCoin ? fill.quantity : fill.cost;
  return { fee: (of * book.feeBps) / BPS, feeCoin };
}

/** In whole ticks. */
function priceOf(pair: ExchangePair, side: 'BUY' | 'SELL', worseBps: bigint): bigint {
  const tick = toUnits(pair.tickSize);
  return ((toUnits(pair.lastPrice) * (BPS + (side === 'BUY' ? worseBps : -worseBps))) / BPS / tick) * tick;
}

/** The levels that orders match: price and quantity, best first. */
export function levelsOf({ book }: ExchangeAccount, pair: ExchangePair, side: 'BUY' | 'SELL'): [string, string][] {
  return Array.from({ length: book.pieces }, (_, piece) => [
    toText(priceOf(pair, side, book.slippageBps + BigInt(piece))),
    book.coinsAPiece,
  ]);
}

/** By our id or the exchange's; the newest of several with the same id, as at the real exchanges. */
export const findOrder = (
  { orders }: ExchangeAccount,
  asked: {
    readonly clientId?: string | null | undefined;
    readonly id?: string | null | undefined;
    readonly symbol?: string;
  },
): NodeOrder | undefined =>
  orders.findLast(
    (order) =>
      order.isListed() &&
      (asked.symbol === undefined || order.symbol === asked.symbol) &&
      (order.clientId === asked.clientId || String(order.id) === asked.id),
  );

/** @returns whether it was open */
export function cancelOrder(order: NodeOrder | undefined): order is NodeOrder {
  if (order === undefined || !isOpen(order)) return false;
  order.status = 'CANCELED';
  return true;
}

/** Fills of an order, oldest first; empty while the list lags. */
export function listTrades(account: ExchangeAccount, orderId: string | null): NodeTrade[] {
  if (account.book.fillsLag > 0) {
    account.book.fillsLag -= 1;
    return [];
  }
  return account.trades.filter((trade) => trade.isListed() && (orderId === null || String(trade.orderId) === orderId));
}

/** A deposit, withdrawal or other balance change; amounts as decimal text. */
export function moveCoins(
  { balances, movements }: ExchangeAccount,
  moved: Pick<NodeMovement, 'kind' | 'coin' | 'at'> & {
    readonly amount: string;
    readonly fee?: string;
    readonly transaction?: string;
  },
): NodeMovement {
  const [amount, fee] = [toSigned(moved.amount), toUnits(moved.fee ?? '0')];
  const movement = { transaction: `payment-${movements.length}`, ...moved, id: 7000 + movements.length, amount, fee };
  movements.push(movement);
  balances.set(moved.coin, (balances.get(moved.coin) ?? 0n) + amount - fee);
  return movement;
}

const toSigned = (text: string): bigint => (text.startsWith('-') ? -toUnits(text.slice(1)) : toUnits(text));
