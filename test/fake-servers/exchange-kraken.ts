import { createHash, createHmac } from 'node:crypto';
import { coinOf, decimalsOf, type ExchangePair, listCandles, openMarket, type PriceMarket } from './exchange-market.ts';
import {
  cancelOrder,
  type ExchangeAccount,
  findOrder,
  isOpen,
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
  UNIT,
} from './exchange-orders.ts';
import { answering, type ExchangePrices } from './exchange-prices.ts';
import type { ExchangeKeys, ExchangeProtocol, SignedRequest } from './exchange-server.ts';
import type { Answer } from './serve-json.ts';

const KEYS: ExchangeKeys = {
  apiKey: 'key-of-the-local-kraken',
  secret: Buffer.from('secret-of-the-local-kraken').toString('base64'),
};

/** Errors also have status 200. */
const ok = (result: unknown): Answer => ({ status: 200, body: { error: [], result } });
const refuse = (error: string): Answer => ({ status: 200, body: { error: [error] } });

const refusals: Readonly<Record<Refusal, Answer>> = {
  symbol: refuse('EQuery:Unknown asset pair'),
  closed: refuse('EService:Market in cancel_only mode'),
  quantity: refuse('EGeneral:Invalid arguments:volume'),
  lot: refuse('EOrder:Order minimum not met'),
  price: refuse('EOrder:Invalid price:price can only be specified up to the decimals of the pair.'),
  notional: refuse('EOrder:Cost minimum not met'),
  funds: refuse('EOrder:Insufficient funds'),
  duplicate: refuse('EOrder:cl_ord_id already in use'),
};

/** The oldest coins have an X prefix, Bitcoin and Dogecoin special ids, and dollars a Z prefix. */
const ids: Readonly<Record<string, string>> = { BTC: 'XXBT', DOGE: 'XXDG', USD: 'ZUSD' };
const OLD = ['ETH', 'LTC', 'XRP', 'ETC'];
const idOf = (coin: string): string => ids[coin] ?? (OLD.includes(coin) ? `X${coin}` : coin);
const altOf = (coin: string): string => (coin === 'BTC' ? 'XBT' : coin === 'DOGE' ? 'XDG' : coin);
const pairName = (coin: string): string =>
  coin === 'BTC' || OLD.includes(coin) ? `${idOf(coin)}ZUSD` : `${altOf(coin)}USD`;

const MAX_CANDLES = 720;
/** `cost_decimals` is 5, and balances and ledger have 4 decimals of dollars. */
const STEPS = { fill: UNIT / 100_000n, balance: UNIT / 10_000n };

export function openKrakenPrices(bases?: readonly string[]): ExchangePrices {
  const market = openMarket(pairName, bases);
  for (const pair of market.pairs.values())
    Object.assign(pair, {
      ...(pair.coin === 'BTC' && { tickSize: '0.10000000' }),
      stepSize: '0.00000001',
      minQuantity: pair.coin === 'BTC' ? '0.00005000' : '0.00200000',
      minNotional: '0.50000000',
    });
  return answering(market, {
    '/0/public/Time': () =>
      ok({ unixtime: Math.floor(market.now() / 1000), rfc1123: new Date(market.now()).toUTCString() }),
    '/0/public/AssetPairs': () =>
      ok(Object.fromEntries([...market.pairs].map(([name, pair]) => [name, describePair(pair)]))),
    '/0/public/Ticker': (url) => listTickers(market, url),
    '/0/public/OHLC': (url) => listOhlc(market, url),
  });
}

const describePair = (pair: ExchangePair) => ({
  altname: `${altOf(pair.coin)}USD`,
  wsname: `${altOf(pair.coin)}/USD`,
  aclass_base: 'currency',
  base: idOf(pair.coin),
  aclass_quote: 'currency',
  quote: 'ZUSD',
  lot: 'unit',
  cost_decimals: 5,
  pair_decimals: decimalsOf(pair.tickSize),
  lot_decimals: decimalsOf(pair.stepSize),
  lot_multiplier: 1,
  leverage_buy: [],
  leverage_sell: [],
  fees: [
    [0, 0.4],
    [10_000, 0.35],
  ],
  fees_maker: [
    [0, 0.25],
    [10_000, 0.2],
  ],
  fee_volume_currency: 'ZUSD',
  margin_call: 80,
  margin_stop: 40,
  ordermin: pair.minQuantity,
  costmin: pair.minNotional,
  tick_size: pair.tickSize,
  status: pair.status === 'TRADING' ? 'online' : 'cancel_only',
});

function listTickers(market: PriceMarket, url: URL): Answer {
  const names = url.searchParams.get('pair')?.split(',') ?? [...market.pairs.keys()];
  if (names.some((name) => !market.pairs.has(name))) return refusals.symbol;
  return ok(
    Object.fromEntries(
      names.map((name) => {
        const { lastPrice, quoteVolume } = market.pairs.get(name) as ExchangePair;
        const coins = toText((toUnits(quoteVolume) * UNIT) / toUnits(lastPrice));
        const level = [lastPrice, '1', '1.000'];
        return [
          name,
          {
            a: level,
            b: level,
            c: [lastPrice, '0.01'],
            v: [coins, coins],
            p: [lastPrice, lastPrice],
            t: [100, 1000],
            l: [lastPrice, lastPrice],
            h: [lastPrice, lastPrice],
            o: lastPrice,
          },
        ];
      }),
    ),
  );
}

/** Returns the last 720 candles at most, whatever is requested; the last one is the open candle. */
function listOhlc(market: PriceMarket, url: URL): Answer {
  const name = url.searchParams.get('pair') ?? '';
  const pair = market.pairs.get(name);
  if (pair === undefined) return refusals.symbol;
  const stepMs = Number(url.searchParams.get('interval') ?? 1) * 60_000;
  const [endMs, since] = [market.now(), Number(url.searchParams.get('since') ?? 0) * 1000];
  const firstMs = Math.max(since + 1, endMs - MAX_CANDLES * stepMs + 1);
  const rows = listCandles(market, pair, { stepMs, firstMs, endMs, limit: MAX_CANDLES });
  const candles = rows.map(([openMs, [open, high, low, close, volume]]) => {
    return [openMs / 1000, open, high, low, close, close, volume, 42];
  });
  return ok({ [name]: candles, last: (rows.at(-2)?.[0] ?? endMs) / 1000 });
}

/** The part of Kraken's spot REST API that execution uses. Fees are in dollars, as orders request with `fciq`. */
export function krakenProtocol(balances: Readonly<Record<string, string>>): ExchangeProtocol {
  const prices = openKrakenPrices();
  const account = openAccount(balances, 'USD', 'dollar', STEPS);
  account.book.feeBps = 40n;
  const { market } = prices;
  const asking = (run: (asked: URLSearchParams) => Answer) => (request: SignedRequest) =>
    run(new URLSearchParams(request.body));
  return {
    id: 'kraken',
    keys: KEYS,
    account,
    prices,
    nameOf: (symbol) => pairName(coinOf(symbol)),
    orderIdOf: (id) => textOf('O', id),
    tradeIdOf: (id) => textOf('T', id),
    openRoutes: {
      'GET /0/public/Depth': ({ searchParams }) => {
        const name = searchParams.get('pair') ?? '';
        const pair = market.pairs.get(name);
        if (pair === undefined) return refusals.symbol;
        const levels = (side: 'BUY' | 'SELL') =>
          levelsOf(account, pair, side).map((level) => [...level, Math.floor(market.now() / 1000)]);
        return ok({ [name]: { asks: levels('BUY'), bids: levels('SELL') } });
      },
    },
    signedRoutes: {
      'POST /0/private/AddOrder': asking((asked) => takeOrder(account, market, asked)),
      'POST /0/private/OpenOrders': asking((asked) =>
        ok({ open: describeAll(account, asked.get('cl_ord_id'), isOpen) }),
      ),
      'POST /0/private/ClosedOrders': asking((asked) => {
        const closed = describeAll(account, asked.get('cl_ord_id'), (order) => !isOpen(order));
        return ok({ closed, count: Object.keys(closed).length });
      }),
      'POST /0/private/QueryOrders': asking((asked) => {
        const order = findOrder(account, { id: idOfText(asked.get('txid')) });
        if (order === undefined) return refuse('EOrder:Unknown order');
        const trades = listTrades(account, String(order.id)).map(({ id }) => textOf('T', id));
        return ok({ [textOf('O', order.id)]: { ...describeOrder(order), trades } });
      }),
      'POST /0/private/QueryTrades': asking((asked) => queryTrades(account, asked.get('txid') ?? '')),
      'POST /0/private/TradesHistory': asking((asked) => {
        const trades = account.trades.map((trade) => [textOf('T', trade.id), describeTrade(trade)] as const);
        return pageHistory('trades', trades, asked);
      }),
      'POST /0/private/Ledgers': asking((asked) => pageHistory('ledger', listEntries(account), asked)),
      'POST /0/private/CancelOrder': asking((asked) => {
        const order = findOrder(account, { clientId: asked.get('cl_ord_id'), id: idOfText(asked.get('txid')) });
        return cancelOrder(order) ? ok({ count: 1 }) : refuse('EOrder:Unknown order');
      }),
      'POST /0/private/BalanceEx': () =>
        ok(
          Object.fromEntries(
            [...account.balances].map(([coin, units]) => [
              idOf(coin),
              { balance: toText(units), hold_trade: '0.00000000' },
            ]),
          ),
        ),
    },
    refuseKey: signatureCheck(),
    refuseTime: () => undefined,
    calls: {
      send: 'POST /0/private/AddOrder',
      find: 'POST /0/private/OpenOrders',
      fills: 'POST /0/private/QueryTrades',
      balances: 'POST /0/private/BalanceEx',
      statement: 'POST /0/private/TradesHistory',
      movements: 'POST /0/private/Ledgers',
    },
    answers: {
      tooMany: refuse('EOrder:Rate limit exceeded'),
      maintenance: refuse('EService:Unavailable'),
      busy: refuse('EService:Busy'),
      restricted: refuse('EAccount:Invalid permissions:BTC trading restricted for US:TX.'),
      badKey: refuse('EAPI:Invalid key'),
    },
  };
}

const MAX_DEADLINE_MS = 60_000;
/** A UUID with or without hyphens, or a short text. */
const CLIENT_ID = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|[\x20-\x7e]{1,18})$/;

function takeOrder(account: ExchangeAccount, market: PriceMarket, asked: URLSearchParams): Answer {
  const symbol = asked.get('pair') ?? '';
  const pair = market.pairs.get(symbol);
  if (pair === undefined) return refusals.symbol;
  const clientId = asked.get('cl_ord_id') ?? '';
  if (!CLIENT_ID.test(clientId)) return refuse('EGeneral:Invalid arguments:cl_ord_id');
  if (asked.get('ordertype') !== 'limit') return refuse('EGeneral:Invalid arguments:ordertype');
  if (asked.get('timeinforce') !== 'IOC') return refuse('EGeneral:Invalid arguments:timeinforce');
  if (asked.get('oflags') !== 'fciq') return refuse('EGeneral:Invalid arguments:oflags');
  const deadline = Date.parse(asked.get('deadline') ?? '');
  if (Number.isNaN(deadline) || deadline > market.now() + MAX_DEADLINE_MS)
    return refuse('EGeneral:Invalid arguments:deadline');
  if (deadline < market.now()) return refuse('EService:Deadline elapsed');
  const side = asked.get('type') === 'buy' ? 'BUY' : 'SELL';
  const [quantity, limit] = [asked.get('volume') ?? '0', asked.get('price') ?? '0'].map(toUnits) as [bigint, bigint];
  const order = placeOrder(account, market, { symbol, clientId, side, quantity, limit });
  if (typeof order === 'string') return refusals[order];
  return ok({ txid: [textOf('O', order.id)], descr: { order: sentenceOf(order) } });
}

/** `OABCDE-00000-001000`: the shape of the real ids, which have letters throughout. */
const textOf = (letter: 'O' | 'T' | 'L', id: number): string => `${letter}ABCDE-00000-${String(id).padStart(6, '0')}`;
const idOfText = (text: string | null): string | null => (text === null ? null : String(Number(text.split('-')[2])));

const sentenceOf = ({ coin, side, quantity, limit }: NodeOrder): string =>
  `${side.toLowerCase()} ${toText(quantity)} ${altOf(coin)}USD @ limit ${toText(limit)}`;

const describeAll = (account: ExchangeAccount, clientId: string | null, isWanted: (order: NodeOrder) => boolean) =>
  Object.fromEntries(
    account.orders
      .filter((order) => order.isListed() && isWanted(order) && (clientId === null || order.clientId === clientId))
      .map((order) => [textOf('O', order.id), describeOrder(order)]),
  );

function describeOrder(order: NodeOrder) {
  const isFull = order.status === 'FILLED';
  return {
    refid: null,
    userref: null,
    cl_ord_id: order.clientId,
    status: isOpen(order) ? 'open' : isFull ? 'closed' : 'canceled',
    reason: isFull ? null : 'IOC order partially filled',
    opentm: order.at / 1000,
    ...(!isOpen(order) && { closetm: order.at / 1000 }),
    starttm: 0,
    expiretm: 0,
    descr: {
      pair: `${altOf(order.coin)}USD`,
      type: order.side.toLowerCase(),
      ordertype: 'limit',
      price: toText(order.limit),
      price2: '0',
      leverage: 'none',
      order: sentenceOf(order),
      close: '',
    },
    vol: toText(order.quantity),
    vol_exec: toText(order.filled),
    cost: toText(order.cost),
    fee: '0.00000',
    price: order.filled === 0n ? '0.00000' : toText((order.cost * UNIT) / order.filled),
    stopprice: '0.00000',
    limitprice: '0.00000',
    misc: '',
    oflags: 'fciq',
  };
}

const MAX_TRADES = 20;

function queryTrades(account: ExchangeAccount, txid: string): Answer {
  const asked = txid.split(',');
  const found = asked.map((text) => account.trades.find(({ id }) => String(id) === idOfText(text)));
  if (asked.length > MAX_TRADES || found.includes(undefined)) return refuse('EGeneral:Invalid arguments');
  return ok(Object.fromEntries((found as NodeTrade[]).map((trade) => [textOf('T', trade.id), describeTrade(trade)])));
}

const describeTrade = (trade: NodeTrade) => ({
  ordertxid: textOf('O', trade.orderId),
  postxid: 'TKH2SE-M7IF5-CFI7LT',
  pair: trade.symbol,
  time: trade.at / 1000,
  type: trade.isBuy ? 'buy' : 'sell',
  ordertype: 'limit',
  price: toText(trade.price),
  cost: toText(trade.cost),
  fee: toText(trade.fee),
  vol: toText(trade.quantity),
  margin: '0.00000000',
  misc: '',
  trade_id: trade.id,
  maker: false,
});

const HISTORY_PAGE = 50;

/** Newest first, after `start` up to and including `end`, in seconds. */
function pageHistory(name: string, rows: readonly (readonly [string, { time: number }])[], asked: URLSearchParams) {
  const [start, end] = [Number(asked.get('start')), Number(asked.get('end') ?? Number.POSITIVE_INFINITY)];
  const found = rows.filter(([, { time }]) => time > start && time <= end).toSorted((a, b) => b[1].time - a[1].time);
  const offset = Number(asked.get('ofs') ?? 0);
  return ok({ [name]: Object.fromEntries(found.slice(offset, offset + HISTORY_PAGE)), count: found.length });
}

/** A trade has two entries, one for each coin. */
const listEntries = ({ trades, movements, dollar }: ExchangeAccount) => [
  ...trades.flatMap((trade) => {
    const sign = trade.isBuy ? 1n : -1n;
    const about = { refid: textOf('T', trade.id), time: trade.at / 1000, type: 'trade' };
    return [
      entryOf(2 * trade.id, { ...about, coin: dollar, amount: -sign * trade.cost, fee: trade.fee }),
      entryOf(2 * trade.id + 1, { ...about, coin: trade.coin, amount: sign * trade.quantity, fee: 0n }),
    ];
  }),
  ...movements.map((one) => {
    const type = one.kind === 'other' ? 'rollover' : one.kind;
    return entryOf(one.id, { ...one, refid: one.transaction, time: one.at / 1000, type });
  }),
];

type Entry = Pick<NodeMovement, 'coin' | 'amount' | 'fee'> & { refid: string; time: number; type: string };
const entryOf = (id: number, { refid, time, type, coin, amount, fee }: Entry) =>
  [
    textOf('L', id),
    {
      refid,
      time,
      type,
      subtype: '',
      aclass: 'currency',
      asset: idOf(coin),
      amount: toText(amount),
      fee: toText(fee),
      balance: '0.0000000000',
    },
  ] as const;

/** HMAC-SHA512 over the path and the SHA-256 of nonce and body; nonces must increase. */
function signatureCheck(): ExchangeProtocol['refuseKey'] {
  let last = 0n;
  return ({ path, body, headers }) => {
    if (headers['api-key'] !== KEYS.apiKey) return refuse('EAPI:Invalid key');
    const nonce = new URLSearchParams(body).get('nonce') ?? '';
    const hash = createHash('sha256')
      .update(nonce + body)
      .digest();
    const signed = createHmac('sha512', Buffer.from(KEYS.secret, 'base64')).update(path).update(hash).digest('base64');
    if (headers['api-sign'] !== signed) return refuse('EAPI:Invalid signature');
    if (!/^\d+$/.test(nonce) || BigInt(nonce) <= last) return refuse('EAPI:Invalid nonce');
    last = BigInt(nonce);
    return undefined;
  };
}
