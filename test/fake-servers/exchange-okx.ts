import { createHmac } from 'node:crypto';
import { coinOf, type ExchangePair, listCandles, openMarket, type PriceMarket } from './exchange-market.ts';
import {
  cancelOrder,
  type ExchangeAccount,
  findOrder,
  levelsOf,
  listTrades,
  type NodeOrder,
  type NodeTrade,
  openAccount,
  placeOrder,
  type Refusal,
  toText,
  toUnits,
  UNIT,
} from './exchange-orders.ts';
import { answering, type ExchangePrices } from './exchange-prices.ts';
import type { ExchangeKeys, ExchangeProtocol, SignedRequest } from './exchange-server.ts';
import type { Answer } from './serve-json.ts';

const KEYS: ExchangeKeys & { password: string } = {
  apiKey: 'key-of-the-local-okx',
  secret: 'secret-of-the-local-okx',
  password: 'passphrase-of-the-local-okx',
};

const ok = (data: readonly unknown[]): Answer => ({ status: 200, body: { code: '0', data, msg: '' } });
const refuse = (code: string, msg: string, status = 200): Answer => ({ status, body: { code, data: [], msg } });
/** Errors of an order are reported in its row, with status 200. */
const refuseOrder = (sCode: string, sMsg: string): Answer => ({
  status: 200,
  body: { code: '1', data: [{ clOrdId: '', ordId: '', sCode, sMsg, tag: '' }], msg: 'All operations failed' },
});

const refusals: Readonly<Record<Refusal, Answer>> = {
  symbol: refuseOrder('51001', "Instrument ID doesn't exist."),
  closed: refuseOrder('51022', 'Contract suspended.'),
  quantity: refuseOrder('51000', 'Parameter sz error'),
  lot: refuseOrder('51121', 'Order quantity must be a multiple of the lot size.'),
  price: refuseOrder('51150', 'The precision of the number of trades or the price exceeds the limit.'),
  notional: refuseOrder('51020', 'Your order should meet or exceed the minimum order amount.'),
  funds: refuseOrder('51008', 'Order failed. Your available USDT balance is insufficient.'),
  duplicate: refuseOrder('51016', 'Duplicated client order ID'),
};

const stepsMs: Readonly<Record<string, number>> = { '1m': 60_000, '15m': 900_000 };
const MAX_CANDLES = 300;

export function openOkxPrices(bases?: readonly string[]): ExchangePrices {
  const market = openMarket((coin) => `${coin}-USDT`, bases);
  // The minimum order size is a coin quantity only.
  for (const pair of market.pairs.values())
    Object.assign(pair, {
      ...(pair.coin === 'BTC' && { tickSize: '0.1' }),
      stepSize: pair.coin === 'BTC' ? '0.00000001' : '0.000001',
      minQuantity: pair.coin === 'BTC' ? '0.00001' : '0.0001',
      minNotional: '0',
    });
  const asTicker = (name: string) => describeTicker(market, name, market.pairs.get(name) as ExchangePair);
  return answering(market, {
    '/api/v5/public/time': () => ok([{ ts: String(market.now()) }]),
    '/api/v5/public/instruments': () => ok([...market.pairs].map(([name, pair]) => describePair(name, pair))),
    '/api/v5/market/tickers': () => ok([...market.pairs.keys()].map(asTicker)),
    '/api/v5/market/ticker': ({ searchParams }) => {
      const name = searchParams.get('instId') ?? '';
      return market.pairs.has(name) ? ok([asTicker(name)]) : refuse('51001', "Instrument ID doesn't exist.");
    },
    '/api/v5/market/candles': (url) => pageCandles(market, url),
    '/api/v5/market/history-candles': (url) => pageCandles(market, url),
  });
}

const describePair = (instId: string, pair: ExchangePair) => ({
  alias: '',
  baseCcy: pair.coin,
  category: '1',
  ctMult: '',
  ctType: '',
  ctVal: '',
  ctValCcy: '',
  expTime: '',
  instFamily: '',
  instId,
  instType: 'SPOT',
  lever: '',
  listTime: '1548133413000',
  lotSz: pair.stepSize,
  maxLmtAmt: '20000000',
  maxLmtSz: pair.maxQuantity,
  maxMktAmt: '1000000',
  maxMktSz: '1000000',
  minSz: pair.minQuantity,
  optType: '',
  quoteCcy: 'USDT',
  settleCcy: '',
  state: pair.status === 'TRADING' ? 'live' : 'suspend',
  stk: '',
  tickSz: pair.tickSize,
  uly: '',
});

const describeTicker = (market: PriceMarket, instId: string, { lastPrice, pricedAtMs, quoteVolume }: ExchangePair) => ({
  instType: 'SPOT',
  instId,
  last: lastPrice,
  lastSz: '0.01',
  askPx: lastPrice,
  askSz: '1',
  bidPx: lastPrice,
  bidSz: '1',
  open24h: lastPrice,
  high24h: lastPrice,
  low24h: lastPrice,
  volCcy24h: quoteVolume,
  vol24h: toText((toUnits(quoteVolume) * UNIT) / toUnits(lastPrice)),
  ts: String(pricedAtMs ?? market.now()),
  sodUtc0: lastPrice,
  sodUtc8: lastPrice,
});

/** Newest first, candles that open after `before` and before `after`. */
function pageCandles(market: PriceMarket, { searchParams }: URL): Answer {
  const pair = market.pairs.get(searchParams.get('instId') ?? '');
  const stepMs = stepsMs[searchParams.get('bar') ?? '1m'];
  if (pair === undefined) return refuse('51001', "Instrument ID doesn't exist.");
  if (stepMs === undefined) return refuse('51000', 'Parameter bar error', 400);
  const limit = Math.min(Number(searchParams.get('limit') ?? 100), MAX_CANDLES);
  const endMs = Math.min(Number(searchParams.get('after') ?? Number.POSITIVE_INFINITY) - 1, market.now());
  const firstMs = Math.max(Number(searchParams.get('before') ?? 0) + 1, endMs - limit * stepMs + 1);
  const rows = listCandles(market, pair, { stepMs, firstMs, endMs, limit }).reverse();
  return ok(
    rows.map(([openMs, [open, high, low, close, volume, quoteVolume]]) => [
      ...[String(openMs), open, high, low, close, volume, quoteVolume, quoteVolume],
      openMs + stepMs <= market.now() ? '1' : '0',
    ]),
  );
}

/** The part of OKX's REST API that execution uses, for spot trading in a simple account. */
export function okxProtocol(balances: Readonly<Record<string, string>>): ExchangeProtocol {
  const prices = openOkxPrices();
  const account = openAccount(balances);
  account.book.feeBps = 15n;
  const { market } = prices;
  return {
    id: 'okx',
    keys: KEYS,
    account,
    prices,
    nameOf: (symbol) => `${coinOf(symbol)}-USDT`,
    orderIdOf: String,
    tradeIdOf: String,
    openRoutes: {
      'GET /api/v5/market/books': ({ searchParams }) => {
        const pair = market.pairs.get(searchParams.get('instId') ?? '');
        if (pair === undefined) return refuse('51001', "Instrument ID doesn't exist.");
        const levels = (side: 'BUY' | 'SELL') => levelsOf(account, pair, side).map((level) => [...level, '0', '1']);
        return ok([{ asks: levels('BUY'), bids: levels('SELL'), ts: String(market.now()), seqId: 1 }]);
      },
    },
    signedRoutes: {
      'POST /api/v5/trade/order': (request) => takeOrder(account, market, request),
      'GET /api/v5/trade/order': ({ query }) => {
        const order = findAsked(account, Object.fromEntries(new URLSearchParams(query)));
        return order === undefined ? refuse('51603', 'Order does not exist') : ok([describeOrder(account, order)]);
      },
      'POST /api/v5/trade/cancel-order': ({ body }) => {
        const order = findAsked(account, JSON.parse(body));
        return cancelOrder(order)
          ? ok([{ clOrdId: order.clientId, ordId: String(order.id), sCode: '0', sMsg: '' }])
          : refuseOrder('51400', 'Cancellation failed as the order has been filled, canceled or does not exist.');
      },
      'GET /api/v5/trade/fills-history': ({ query }) => pageFills(account, new URLSearchParams(query)),
      'GET /api/v5/account/bills-archive': ({ query }) => pageBills(account, new URLSearchParams(query)),
      'GET /api/v5/account/balance': () => showBalance(account, market.now()),
    },
    refuseKey,
    refuseTime,
    calls: {
      send: 'POST /api/v5/trade/order',
      find: 'GET /api/v5/trade/order',
      fills: 'GET /api/v5/trade/fills-history',
      balances: 'GET /api/v5/account/balance',
      statement: 'GET /api/v5/trade/fills-history',
      movements: 'GET /api/v5/account/bills-archive',
    },
    answers: {
      tooMany: refuse('50011', 'Rate limit reached. Please refer to API documentation and throttle requests', 429),
      maintenance: refuse('50001', 'Service temporarily unavailable. Please try again later.', 503),
      busy: refuse(
        '50004',
        'API endpoint request timeout. (does not mean that the request was successful or failed)',
        400,
      ),
      restricted: refuseOrder('51155', "You can't trade this pair due to local laws and regulations."),
      badKey: refuse('50111', 'Invalid OK-ACCESS-KEY', 401),
    },
  };
}

type Named = { readonly instId?: string; readonly clOrdId?: string; readonly ordId?: string };

const findAsked = (account: ExchangeAccount, { instId = '', clOrdId, ordId }: Named): NodeOrder | undefined =>
  findOrder(account, { symbol: instId, clientId: clOrdId, id: ordId });

function takeOrder(account: ExchangeAccount, market: PriceMarket, { body, headers }: SignedRequest): Answer {
  const asked = JSON.parse(body) as Record<string, string>;
  if ('expTime' in asked) return refuse('51000', 'Parameter expTime error', 400);
  if (Number(headers.exptime) < market.now())
    return refuse('51149', 'Order timed out. Please try again. (does not mean success or failure)', 500);
  const symbol = asked.instId ?? '';
  if (!market.pairs.has(symbol)) return refusals.symbol;
  const clientId = asked.clOrdId ?? '';
  if (!/^[A-Za-z0-9]{1,32}$/.test(clientId)) return refuseOrder('51000', 'Parameter clOrdId error');
  if (asked.tdMode !== 'cash') return refuseOrder('51000', 'Parameter tdMode error');
  if (asked.ordType !== 'ioc') return refuseOrder('51000', 'Parameter ordType error');
  const side = asked.side === 'buy' ? 'BUY' : 'SELL';
  const [quantity, limit] = [asked.sz ?? '0', asked.px ?? '0'].map(toUnits) as [bigint, bigint];
  const order = placeOrder(account, market, { symbol, clientId, side, quantity, limit });
  if (typeof order === 'string') return refusals[order];
  return ok([{ clOrdId: clientId, ordId: String(order.id), sCode: '0', sMsg: '', tag: '', ts: String(order.at) }]);
}

const states: Readonly<Record<NodeOrder['status'], string>> = {
  NEW: 'live',
  PARTIALLY_FILLED: 'partially_filled',
  FILLED: 'filled',
  CANCELED: 'canceled',
  EXPIRED: 'canceled',
};

function describeOrder(account: ExchangeAccount, order: NodeOrder) {
  const trades = account.trades.filter(({ orderId }) => orderId === order.id);
  return {
    accFillSz: toText(order.filled),
    avgPx: order.filled === 0n ? '' : toText((order.cost * UNIT) / order.filled),
    cTime: String(order.at),
    category: 'normal',
    ccy: '',
    clOrdId: order.clientId,
    fee: toText(-trades.reduce((sum, { fee }) => sum + fee, 0n)),
    feeCcy: trades[0]?.feeCoin ?? '',
    fillPx: '',
    fillSz: '0',
    fillTime: String(order.at),
    instId: order.symbol,
    instType: 'SPOT',
    lever: '',
    ordId: String(order.id),
    ordType: 'ioc',
    pnl: '0',
    posSide: 'net',
    px: toText(order.limit),
    side: order.side.toLowerCase(),
    state: states[order.status],
    sz: toText(order.quantity),
    tag: '',
    tdMode: 'cash',
    tgtCcy: 'base_ccy',
    uTime: String(order.at),
  };
}

const MAX_ROWS = 100;

/** Newest first, older than the bill `after`, within the time bounds. */
function pageByBill<Row extends { readonly billId: string; readonly ts: string }>(
  rows: readonly Row[],
  asked: URLSearchParams,
): Answer {
  const after = asked.get('after');
  const [begin, end] = [Number(asked.get('begin') ?? 0), Number(asked.get('end') ?? Number.POSITIVE_INFINITY)];
  const found = rows.filter(
    ({ billId, ts }) => (after === null || BigInt(billId) < BigInt(after)) && Number(ts) > begin && Number(ts) < end,
  );
  const newestFirst = found.toSorted((one, other) => (BigInt(one.billId) < BigInt(other.billId) ? 1 : -1));
  return ok(newestFirst.slice(0, Math.min(MAX_ROWS, Number(asked.get('limit') ?? MAX_ROWS))));
}

function pageFills(account: ExchangeAccount, asked: URLSearchParams): Answer {
  if (asked.get('instType') !== 'SPOT') return refuse('51000', 'Parameter instType error', 400);
  const instId = asked.get('instId');
  const found = listTrades(account, asked.get('ordId')).filter(({ symbol }) => instId === null || symbol === instId);
  return pageByBill(found.map(describeFill), asked);
}

/** A trade has two bills, one for each coin. A transfer belongs to no market. */
function pageBills({ trades, movements, dollar }: ExchangeAccount, asked: URLSearchParams): Answer {
  const bills = [
    ...trades.flatMap((trade) => {
      const about = {
        at: trade.at,
        type: '2',
        subType: trade.isBuy ? '1' : '2',
        instType: 'SPOT',
        ordId: String(trade.orderId),
      };
      const sign = trade.isBuy ? 1n : -1n;
      return [
        billRow(2 * trade.id, { ...about, coin: dollar, change: -sign * trade.cost }),
        billRow(2 * trade.id + 1, { ...about, coin: trade.coin, change: sign * trade.quantity }),
      ];
    }),
    ...movements.map(({ id, kind, coin, amount, fee, at }) => {
      const [type, subType] = kind === 'other' ? ['7', '9'] : ['1', kind === 'deposit' ? '11' : '12'];
      return billRow(900_000 + id, { at, type, subType, instType: '', ordId: '', coin, change: amount - fee });
    }),
  ];
  const instType = asked.get('instType');
  return pageByBill(
    bills.filter((bill) => instType === null || bill.instType === instType),
    asked,
  );
}

type Bill = {
  at: number;
  type?: string;
  subType?: string;
  instType: string;
  ordId: string;
  coin: string;
  change: bigint;
};
const billRow = (id: number, { at, coin, change, ...bill }: Bill) => ({
  ...bill,
  bal: '0',
  balChg: toText(change),
  billId: `${at}${String(id).padStart(7, '0')}`,
  ccy: coin,
  fee: '0',
  from: '',
  instId: '',
  mgnMode: '',
  notes: '',
  pnl: '0',
  posBal: '0',
  posBalChg: '0',
  sz: toText(change),
  to: '',
  ts: String(at),
});

const billOf = (id: number): number => 900_000_000 + id;

const describeFill = (trade: NodeTrade) => ({
  side: trade.isBuy ? 'buy' : 'sell',
  fillSz: toText(trade.quantity),
  fillPx: toText(trade.price),
  fee: toText(-trade.fee),
  ordId: String(trade.orderId),
  instType: 'SPOT',
  instId: trade.symbol,
  clOrdId: '',
  posSide: 'net',
  billId: String(billOf(trade.id)),
  tag: '',
  execType: 'T',
  tradeId: String(trade.id),
  feeCcy: trade.feeCoin,
  ts: String(trade.at),
});

const showBalance = (account: ExchangeAccount, now: number): Answer =>
  ok([
    {
      totalEq: '',
      uTime: String(now),
      details: [...account.balances].map(([ccy, units]) => ({
        ccy,
        eq: toText(units),
        cashBal: toText(units),
        availBal: toText(units),
        availEq: '',
        frozenBal: '0',
        uTime: String(now),
      })),
    },
  ]);

function refuseKey({ method, path, query, body, headers }: SignedRequest): Answer | undefined {
  if (headers['ok-access-key'] !== KEYS.apiKey) return refuse('50111', 'Invalid OK-ACCESS-KEY', 401);
  if (headers['ok-access-passphrase'] !== KEYS.password)
    return refuse('50105', 'Request header OK-ACCESS-PASSPHRASE incorrect.', 401);
  const text = `${headers['ok-access-timestamp']}${method}${path}${query === '' ? '' : `?${query}`}${body}`;
  const wanted = createHmac('sha256', KEYS.secret).update(text).digest('base64');
  return headers['ok-access-sign'] === wanted ? undefined : refuse('50113', 'Invalid Sign', 401);
}

const FRESH_MS = 30_000;

function refuseTime({ headers }: SignedRequest, now: number): Answer | undefined {
  const apart = Math.abs(now - Date.parse(String(headers['ok-access-timestamp'])));
  return apart <= FRESH_MS ? undefined : refuse('50102', 'Timestamp request expired.', 401);
}
