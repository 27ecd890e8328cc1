import type { Exchange } from 'ccxt';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { findRow, getRow, listRows } from '#server/db/rows.ts';
import { getHouseBalances } from '#server/ledger/index.ts';
import { advanceMarket, listAssets, openExchange } from '#server/market/index.ts';
import { ccxtVenue } from '#server/trading/execution/venue-ccxt.ts';
import type { Venue } from '#server/trading/execution/venue-port.ts';
import { executeBatches, followMarket } from '#server/trading/index.ts';
import type { KillAt } from '#test/database/kill-at.ts';
import { type FakeExchange, startExchange } from '#test/fake-servers/exchange.ts';
import { instantOf, openTradingWorld, type TradingMarket } from './trading-world.ts';

/**
 * A connection to the local exchange as `openVenue` opens it, without pauses between calls. It aborts a call as soon as
 * the server decides not to answer it, and waits for all others however busy the machine is. A new connection has no
 * state, like that of a restarted process.
 */
export async function openTestExchange(node: FakeExchange, keys = node.keys): Promise<Exchange> {
  const exchange = await openExchange({ id: node.id, url: node.url, sandbox: false }, keys);
  exchange.enableRateLimit = false;
  exchange.timeout = PATIENCE_MS;
  exchange.fetchImplementation = async (url: string, init: RequestInit & { signal: AbortSignal }) => {
    const silence = new AbortController();
    const giveUp = () => silence.abort();
    node.silences.once('hang', giveUp);
    try {
      return await fetch(url, { ...init, signal: AbortSignal.any([init.signal, silence.signal]) });
    } finally {
      node.silences.off('hang', giveUp);
    }
  };
  return exchange;
}

/** Longer than any test, so that no call times out. */
const PATIENCE_MS = 300_000;

export const openTestVenue = async (context: Context, node: FakeExchange): Promise<Venue> =>
  ccxtVenue(context, await openTestExchange(node));

/** The context of a server with `VENUE=ccxt`; prices still come from its own feed. */
export const tradedAt = (context: Context, node: FakeExchange): Context => ({
  ...context,
  config: {
    ...context.config,
    venue: 'ccxt',
    venueKeys: { ...node.keys, password: node.keys.password },
    market: {
      ...context.config.market,
      exchange: { id: node.id, url: node.url, sandbox: true, rateLimitMs: undefined },
    },
  },
});

export type ExchangeWorld = Awaited<ReturnType<typeof openExchangeWorld>>;

/**
 * A recorded market whose trades are filled at a local exchange, at the recorded prices unless its pairs are changed;
 * the exchange uses the test's clock.
 */
export async function openExchangeWorld(
  market: TradingMarket & { readonly balances?: Readonly<Record<string, string>>; readonly exchange?: string } = {},
  follow: (context: Context) => Promise<unknown> = followMarket,
) {
  const balances = market.balances ?? { [market.exchange === 'kraken' ? 'USD' : 'USDT']: '1000000' };
  const node = await startExchange(balances, market.exchange);
  const world = await openTradingWorld(market, (context) => tradedAt(context, node));
  const { context, clock } = world;
  node.market.now = () => clock.now().getTime();
  let venue = await openTestVenue(context, node);

  /** Sets the exchange's prices to those that members see. */
  const followPrices = async () => {
    for (const { symbol, mark } of await listAssets(context.db)) {
      const pair = node.market.pairs.get(node.nameOf(symbol));
      if (pair !== undefined && mark !== null) pair.lastPrice = Number(mark.price).toFixed(2);
    }
  };
  /** Execution rounds, a second apart. */
  const execute = async (rounds = 3) => {
    for (let round = 0; round < rounds; round += 1) {
      clock.advance(1);
      await executeBatches(context, venue);
    }
  };
  /** Jumps the market there, follows it, and executes the resulting orders. */
  const goTo = async (until: string | Date, rounds = 3) => {
    const at = typeof until === 'string' ? new Date(instantOf(until)) : until;
    await advanceMarket(context, { elapsedMs: 0, skipTo: at });
    await follow(context);
    await followPrices();
    await execute(rounds);
    await follow(context);
  };
  /** Plays the last five minutes of a session, until its trades are settled. */
  const close = async () => {
    for (const minute of ['25', '26', '27', '28', '29']) await goTo(`17:${minute}:05`);
    await goTo('17:30:05');
  };
  /** Simulates a restarted process. */
  const restart = async () => {
    venue = await openTestVenue(context, node);
  };
  return {
    ...world,
    node,
    get venue() {
      return venue;
    },
    followPrices,
    execute,
    goTo,
    closeSession: close,
    restart,
    pair: (symbol: string) =>
      node.market.pairs.get(node.nameOf(symbol)) as NonNullable<ReturnType<typeof node.market.pairs.get>>,
    close: async () => {
      await node.close();
      await world.close();
    },
  };
}

/** Kills calls to the exchange before they are sent, or after their reply. */
export function killCalls(exchange: Exchange, kill: KillAt): Exchange {
  const fetch = exchange.fetch.bind(exchange);
  exchange.fetch = (...request: Parameters<typeof fetch>) => kill.call(() => fetch(...request));
  return exchange;
}

export type HoldingRow = {
  held: string;
  members_cash: bigint;
  venue_cash: string;
  result: bigint;
  rejections: number;
  halt_reason: string | null;
};

export const readHolding = (context: Context, symbol: string) =>
  findRow(context.db)<HoldingRow>`
    select held::text, members_cash, venue_cash::text, result, rejections, halt_reason from trading.holding where symbol = ${symbol}`;

export type BatchRow = {
  id: bigint;
  symbol: string;
  kind: string;
  state: string;
  side: string | null;
  quantity: string | null;
  filled: string;
  sends: number;
  reason: string | null;
};

export const readBatches = (context: Context) =>
  listRows(context.db)<BatchRow>`
    select id, symbol, kind, state, side, quantity::text, filled::text, sends, reason from trading.batch order by id`;

/** The balance of `venue_result`: markup and gains on residuals, less losses on them. */
export const venueResult = async (context: Context): Promise<bigint> =>
  (await getHouseBalances(context.db)).venue_result;

/** How much of the booked fills the exchange's statement matches, and how many entries are open. */
export const matchedFills = (context: Context) =>
  getRow(context.db)<{ fills: string; open: number }>`
    select case when (select count(*) from trading.batch_fill) = (select count(batch_id) from trading.statement_match)
      then 'all' else 'not all' end as fills,
      (select count(*)::int from trading.statement_finding where state = 'open') as open`;

/**
 * Holds whenever no order is under way: the exchange executed exactly what is booked, once, and no two of its orders
 * share an id.
 *
 * @param apart client ids of orders that are not compared
 * @returns violations, in words
 */
export async function findDuplicates(
  context: Context,
  node: FakeExchange,
  apart: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const { rows } = await sql<{ client_order_id: string; filled: string; fills: string }>`
    select b.client_order_id, b.filled::text,
      coalesce((select string_agg(f.exchange_trade_id, ',' order by f.exchange_trade_id) from trading.batch_fill f where f.batch_id = b.id), '') as fills
    from trading.batch b where b.exchange_order_id is not null order by b.id`.execute(context.db);
  const ours = rows
    .filter((row) => !apart.has(row.client_order_id))
    .map((row) => `${row.client_order_id} ${Number(row.filled)} ${row.fills}`)
    .toSorted();
  const theirs = node.account.orders
    .filter((order) => !apart.has(order.clientId))
    .map((order) => {
      const trades = node.account.trades.filter((trade) => trade.orderId === order.id);
      return `${order.clientId} ${Number(order.filled) / 1e8} ${trades
        .map(({ id }) => node.tradeIdOf(id))
        .toSorted()
        .join(',')}`;
    })
    .toSorted();
  const ids = node.account.orders.map((order) => order.clientId);
  return [
    ...theirs.filter((line) => !ours.includes(line)).map((line) => `not booked: ${line}`),
    ...ours.filter((line) => !theirs.includes(line)).map((line) => `booked, but not at the exchange: ${line}`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `twice at the exchange: ${id}`),
  ];
}
