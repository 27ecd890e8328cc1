import { createHmac } from 'node:crypto';
import { coinOf } from './exchange-market.ts';
import {
  cancelOrder,
  type ExchangeAccount,
  findOrder,
  levelsOf,
  listTrades,
  type NodeMovement,
  type NodeOrder,
  type NodeTrade,
  openAccount,
  placeOrder,
  type Refusal,
  toText,
  toUnits,
} from './exchange-orders.ts';
import { createExchangePrices, tooManyRequests } from './exchange-prices.ts';
import type { ExchangeKeys, ExchangeProtocol, SignedRequest } from './exchange-server.ts';
import type { Answer } from './serve-json.ts';

export const EXCHANGE_KEYS: ExchangeKeys = {
  apiKey: 'key-of-the-local-exchange',
  secret: 'secret-of-the-local-exchange',
};

const ok = (body: unknown): Answer => ({ status: 200, body });
const refuse = (code: number, msg: string, status = 400): Answer => ({ status, body: { code, msg } });

const refusals: Readonly<Record<Refusal, Answer>> = {
  symbol: refuse(-1121, 'Invalid symbol.'),
  closed: refuse(-1013, 'Market is closed.'),
  quantity: refuse(-1013, 'Invalid quantity.'),
  lot: refuse(-1013, 'Filter failure: LOT_SIZE'),
  price: refuse(-1013, 'Filter failure: PRICE_FILTER'),
  notional: refuse(-1013, 'Filter failure: NOTIONAL'),
  funds: refuse(-2010, 'Account has insufficient balance for requested action.'),
  duplicate: refuse(-2010, 'Duplicate order sent.'),
};

/** The part of Binance's spot REST API that execution uses: limit orders that fill at once, fills, books, balances. */
export function binanceProtocol(balances: Readonly<Record<string, string>>): ExchangeProtocol {
  const prices = createExchangePrices();
  const account = openAccount(balances);
  const { market } = prices;
  const asking = (run: (asked: URLSearchParams) => Answer) => (request: SignedRequest) => run(askedOf(request));
  return {
    id: 'binance',
    keys: EXCHANGE_KEYS,
    account,
    prices,
    nameOf: (symbol) => `${coinOf(symbol)}USDT`,
    orderIdOf: String,
    tradeIdOf: String,
    openRoutes: {
      'GET /api/v3/depth': ({ searchParams }) => {
        const pair = market.pairs.get(searchParams.get('symbol') ?? '');
        if (pair === undefined) return refusals.symbol;
        return ok({ lastUpdateId: 1, bids: levelsOf(account, pair, 'SELL'), asks: levelsOf(account, pair, 'BUY') });
      },
    },
    signedRoutes: {
      'POST /api/v3/order': asking((asked) => takeOrder(account, market, asked)),
      'GET /api/v3/order': asking((asked) => {
        const order = findAsked(account, asked);
        return order === undefined ? refuse(-2013, 'Order does not exist.') : ok(describeOrder(order));
      }),
      'DELETE /api/v3/order': asking((asked) => {
        const order = findAsked(account, asked);
        return cancelOrder(order) ? ok(describeOrder(order)) : refuse(-2011, 'Unknown order sent.');
      }),
      'GET /api/v3/myTrades': asking((asked) => pageTrades(account, asked)),
      'GET /api/v3/account': () => showAccount(account, market.now()),
      'GET /sapi/v1/capital/deposit/hisrec': asking((asked) =>
        pageTransfers(account, 'deposit', asked, describeDeposit),
      ),
      'GET /sapi/v1/capital/withdraw/history': asking((asked) =>
        pageTransfers(account, 'withdrawal', asked, describeWithdrawal),
      ),
      'GET /sapi/v1/asset/assetDividend': asking((asked) => pageDividends(account, asked)),
    },
    refuseKey,
    refuseTime,
    calls: {
      send: 'POST /api/v3/order',
      find: 'GET /api/v3/order',
      fills: 'GET /api/v3/myTrades',
      balances: 'GET /api/v3/account',
      statement: 'GET /api/v3/myTrades',
      movements: 'GET /sapi/v1/capital/deposit/hisrec',
    },
    answers: {
      tooMany: tooManyRequests(7),
      maintenance: { status: 503, body: { code: -1001, msg: 'System is under maintenance.' } },
      busy: refuse(
        -1007,
        'Timeout waiting for response from backend server. Send status unknown; execution status unknown.',
        408,
      ),
      restricted: refuse(-2010, 'This symbol is not permitted for this account.'),
      badKey: refuse(-2015, 'Invalid API-key, IP, or permissions for action.', 401),
    },
  };
}

const askedOf = ({ method, query, body }: SignedRequest) => new URLSearchParams(method === 'POST' ? body : query);

const findAsked = (account: ExchangeAccount, asked: URLSearchParams): NodeOrder | undefined =>
  findOrder(account, {
    symbol: asked.get('symbol') ?? '',
    clientId: asked.get('origClientOrderId'),
    id: asked.get('orderId'),
  });

/** Makes the checks of the real exchange, in its order. */
function takeOrder(account: ExchangeAccount, market: Parameters<typeof placeOrder>[1], asked: URLSearchParams): Answer {
  const symbol = asked.get('symbol') ?? '';
  if (!market.pairs.has(symbol)) return refusals.symbol;
  if (asked.get('type') !== 'LIMIT') return refuse(-1116, 'Invalid orderType.');
  if (asked.get('timeInForce') !== 'IOC') return refuse(-1115, 'Invalid timeInForce.');
  const side = asked.get('side');
  if (side !== 'BUY' && side !== 'SELL') return refuse(-1117, 'Invalid side.');
  const clientId = asked.get('newClientOrderId') ?? `auto${account.orders.length}`;
  if (!/^[.A-Z:/a-z0-9_-]{1,36}$/.test(clientId))
    return refuse(-1100, "Illegal characters found in parameter 'newClientOrderId'.");
  const [quantity, limit] = [asked.get('quantity') ?? '0', asked.get('price') ?? '0'].map(toUnits) as [bigint, bigint];
  const order = placeOrder(account, market, { symbol, clientId, side, quantity, limit });
  if (typeof order === 'string') return refusals[order];
  const fills = account.trades.filter((trade) => trade.orderId === order.id);
  return ok({ ...describeOrder(order), transactTime: order.at, fills: fills.map(describeFill) });
}

const MAX_MS = 86_400_000;

/** Oldest first, from an id or a time. */
function pageTrades(account: ExchangeAccount, asked: URLSearchParams): Answer {
  const [fromId, startTime] = [asked.get('fromId'), asked.get('startTime')];
  const endTime = Number(asked.get('endTime') ?? Number.POSITIVE_INFINITY);
  if (fromId !== null && startTime !== null) return refuse(-1128, 'Combination of optional parameters invalid.');
  if (startTime !== null && endTime - Number(startTime) > MAX_MS)
    return refuse(-1127, 'More than 24 hours between startTime and endTime.');
  const found = listTrades(account, asked.get('orderId')).filter(
    ({ symbol, id, at }) =>
      symbol === asked.get('symbol') && id >= Number(fromId ?? 0) && at >= Number(startTime ?? 0) && at <= endTime,
  );
  return ok(found.slice(0, Number(asked.get('limit') ?? 500)).map(describeTrade));
}

/** Newest first. */
function listMoved({ movements }: ExchangeAccount, kind: NodeMovement['kind'], asked: URLSearchParams): NodeMovement[] {
  const [start, end] = [Number(asked.get('startTime')), Number(asked.get('endTime'))];
  return movements.filter((one) => one.kind === kind && one.at >= start && one.at <= end).reverse();
}

const NINETY_DAYS_MS = 90 * MAX_MS;

function pageTransfers(
  account: ExchangeAccount,
  kind: NodeMovement['kind'],
  asked: URLSearchParams,
  describe: (movement: NodeMovement) => object,
): Answer {
  if (Number(asked.get('endTime')) - Number(asked.get('startTime')) > NINETY_DAYS_MS)
    return refuse(-1127, 'More than 90 days between startTime and endTime.');
  const offset = Number(asked.get('offset') ?? 0);
  const page = listMoved(account, kind, asked).slice(offset, offset + Number(asked.get('limit') ?? 1000));
  return ok(page.map(describe));
}

const describeDeposit = ({ id, coin, amount, at, transaction }: NodeMovement) => ({
  id: String(id),
  amount: toText(amount),
  coin,
  network: coin,
  status: 1,
  address: 'local',
  addressTag: '',
  txId: transaction,
  insertTime: at,
  transferType: 0,
  confirmTimes: '1/1',
});

const describeWithdrawal = ({ id, coin, amount, fee, at, transaction }: NodeMovement) => ({
  id: String(id),
  amount: toText(-amount),
  transactionFee: toText(fee),
  coin,
  status: 6,
  address: 'local',
  txId: transaction,
  network: coin,
  transferType: 0,
  applyTime: new Date(at).toISOString().slice(0, 19).replace('T', ' '),
});

function pageDividends(account: ExchangeAccount, asked: URLSearchParams): Answer {
  const found = listMoved(account, 'other', asked);
  const rows = found.slice(0, Number(asked.get('limit') ?? 20)).map(({ id, coin, amount, at }) => ({
    id,
    asset: coin,
    amount: toText(amount),
    divTime: at,
    enInfo: 'Referral commission',
    tranId: id,
  }));
  return ok({ rows, total: found.length });
}

const showAccount = (account: ExchangeAccount, now: number): Answer =>
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

/** The signature covers the raw text of the request, without the signature itself. */
function refuseKey({ method, query, body, headers }: SignedRequest): Answer | undefined {
  const key = headers['x-mbx-apikey'];
  if (key === undefined) return refuse(-2014, 'API-key format invalid.', 401);
  if (key !== EXCHANGE_KEYS.apiKey) return refuse(-2015, 'Invalid API-key, IP, or permissions for action.', 401);
  const text = method === 'POST' ? body : query;
  const [, signed = '', signature] = /^(.*)&signature=([0-9a-f]+)$/.exec(text) ?? [];
  const wanted = createHmac('sha256', EXCHANGE_KEYS.secret).update(signed).digest('hex');
  return signature === wanted ? undefined : refuse(-1022, 'Signature for this request is not valid.');
}

/** Rejects a call whose timestamp is too old, or in the future. */
function refuseTime(request: SignedRequest, now: number): Answer | undefined {
  const asked = askedOf(request);
  const timestamp = Number(asked.get('timestamp'));
  const window = Number(asked.get('recvWindow') ?? 5000);
  if (timestamp >= now + 1000)
    return refuse(-1021, "Timestamp for this request was 1000ms ahead of the server's time.");
  if (now - timestamp > window) return refuse(-1021, 'Timestamp for this request is outside of the recvWindow.');
  return undefined;
}
