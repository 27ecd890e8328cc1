import type { Exchange } from 'ccxt';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getHouseBalances, openMemberAccounts, post, type Transfer } from '#server/ledger/index.ts';
import { openExchange } from '#server/market/index.ts';
import { ccxtVenue } from '#server/trading/execution/venue-ccxt.ts';
import { hedgeExposure } from '#server/trading/index.ts';
import { addOpenedExposure } from '#server/trading/session/opening-sql.ts';
import { addSettledExposure } from '#server/trading/session/settlement-sql.ts';
import { testClock, testContext } from './builders.ts';
import { openTestDatabase } from './database.ts';
import { EXCHANGE_KEYS, type FakeExchange, startExchange } from './fake-servers/exchange.ts';

/** Whose positions these are. */
export const POSITIONS_OF = 7n;

/**
 * The exchange as this process sees it, on the local server: as `openVenue` opens it, without pauses between calls. It
 * gives a call up when the server has decided to leave it without an answer, and waits for any other however busy the
 * machine is. One opened anew knows nothing, like that of a process that was killed and started again.
 */
export async function openTestExchange(node: FakeExchange, keys = EXCHANGE_KEYS): Promise<Exchange> {
  const exchange = await openExchange({ id: 'binance', url: node.url, sandbox: false, rateLimitMs: undefined }, keys);
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

/** Longer than any test, so that no answer comes too late. */
const PATIENCE_MS = 300_000;

export const openTestVenue = async (context: Context, node: FakeExchange) =>
  ccxtVenue(context, await openTestExchange(node));

export type HedgeWorld = {
  readonly database: Database;
  readonly context: Context;
  readonly clock: { readonly now: () => Date; readonly advance: (seconds: number) => void };
  readonly node: FakeExchange;
  readonly close: () => Promise<void>;
};

/** A server's database with the ccxt venue on a local exchange whose clock is the test's, too. */
export async function openHedgeWorld(balances?: Readonly<Record<string, string>>): Promise<HedgeWorld> {
  const database = await openTestDatabase();
  const clock = testClock();
  const node = await startExchange(balances);
  node.market.now = () => clock.now().getTime();
  const context = hedgedBy(testContext(database, clock), node);
  await insertMarks(context);
  await inTransaction(context.db, (tx) => openMemberAccounts(tx, [POSITIONS_OF]));
  const close = async () => {
    await node.close();
    await database.close();
  };
  return { database, context, clock, node, close };
}

/** A market that stands still: marks of two assets are all that hedging asks of it. */
async function insertMarks({ db, now }: Context): Promise<void> {
  await sql`insert into market.clock (feed, seed, step_seconds, at) values ('simulated', 's', 60, ${now()})`.execute(
    db,
  );
  await sql`
    insert into market.asset (id, symbol, name, apiname, logo, spread_bps)
    values (1, 'btc', 'btc/usdt', 'bitcoin', '-', 10), (2, 'eth', 'eth/usdt', 'ethereum', '-', 10)`.execute(db);
  await sql`
    insert into market.mark (asset_id, price, at) values (1, 50000, ${now()}), (2, 2500, ${now()})`.execute(db);
}

/** The context of a server with `VENUE=ccxt`; prices stay those of its own feed. */
export const hedgedBy = (context: Context, node: FakeExchange): Context => ({
  ...context,
  config: {
    ...context.config,
    venue: 'ccxt',
    venueKeys: EXCHANGE_KEYS,
    market: {
      ...context.config.market,
      exchange: { id: 'binance', url: node.url, sandbox: true, rateLimitMs: undefined },
    },
  },
});

/** Rounds of hedging, a second apart. */
export async function hedgeFor(world: HedgeWorld, rounds = 3): Promise<void> {
  const venue = await openTestVenue(world.context, world.node);
  for (let round = 0; round < rounds; round += 1) {
    await hedgeExposure(world.context, venue);
    world.clock.advance(1);
  }
}

/** Buys for a member at the product's price, with the ledger's transfers and the exposure, as opening does. */
export async function openPosition(
  context: Context,
  symbol: string,
  netMicros: bigint,
  price: string,
): Promise<bigint> {
  return inTransaction(context.db, async (tx) => {
    const { rows } = await sql<{ id: bigint }>`
      with opened as (
        insert into trading.trade (member_id, symbol, wallet, state, amount, placed_at, requested_at, session_day, fee,
          opened_at, open_price)
        values (${POSITIONS_OF}, ${symbol}, 'primary', 'open', ${netMicros}, now(), '2026-03-04T12:29:00Z', '2026-03-04', 0,
          '2026-03-04T12:30:00Z', ${price}::numeric)
        returning id, symbol, amount, open_price),
      exposed as (${addOpenedExposure(sql`(select symbol, amount as net, open_price from opened) as o`)})
      select id from opened`.execute(tx);
    const { id } = rows[0] as { id: bigint };
    const place = { amountMicros: netMicros, reference: `trade ${id}`, marketAt: context.now() };
    await post(tx, [
      { ...place, key: `deposit/${id}`, from: { class: 'gateway' }, to: mine('primary'), reason: 'deposit' },
      { ...place, key: `trade/${id}/place`, from: mine('primary'), to: mine('trade_escrow'), reason: 'trade_place' },
    ]);
    return id;
  });
}

/** Sells it again at the product's price, as settling does. @returns the member's gross result */
export async function closePosition(context: Context, id: bigint, price: string): Promise<bigint> {
  return inTransaction(context.db, async (tx) => {
    const { rows } = await sql<{ net: bigint; proceeds: bigint }>`
      with settled as (
        select id, symbol, amount as net, open_price, div(amount * ${price}::numeric, open_price)::bigint as proceeds
        from trading.trade where id = ${id} and state = 'open'),
      exposed as (${addSettledExposure(sql`settled`)}),
      closed as (
        update trading.trade t set state = 'settled', closed_at = '2026-03-04T17:30:00Z', close_price = ${price}::numeric,
          close_reason = 'session_close', gross = s.proceeds - s.net, performance_fee = 0, result = s.proceeds - s.net
        from settled s where s.id = t.id)
      select net, proceeds from settled`.execute(tx);
    const { net, proceeds } = rows[0] as { net: bigint; proceeds: bigint };
    const gross = proceeds - net;
    const about = { reference: `trade ${id}`, marketAt: context.now() };
    const all: Transfer[] = [
      {
        ...about,
        key: `trade/${id}/return`,
        from: mine('trade_escrow'),
        to: mine('primary'),
        amountMicros: gross < 0n ? proceeds : net,
        reason: 'trade_return',
      },
      {
        ...about,
        key: `trade/${id}/loss`,
        from: mine('trade_escrow'),
        to: { class: 'venue' },
        amountMicros: -gross,
        reason: 'trade_loss',
      },
      {
        ...about,
        key: `trade/${id}/gain`,
        from: { class: 'venue' },
        to: mine('primary'),
        amountMicros: gross,
        reason: 'trade_gain',
      },
    ];
    await post(
      tx,
      all.filter((transfer) => transfer.amountMicros > 0n),
    );
    return gross;
  });
}

const mine = (name: 'primary' | 'trade_escrow') => ({ memberId: POSITIONS_OF, class: name }) as const;

export type HedgeRow = {
  symbol: string;
  held: string;
  members_cash: bigint;
  venue_cash: string;
  result: bigint;
  rejections: number;
};

export async function readHedge(context: Context, symbol: string): Promise<HedgeRow | undefined> {
  const { rows } = await sql<HedgeRow>`
    select symbol, held::text, members_cash, venue_cash::text, result, rejections from trading.hedge where symbol = ${symbol}`.execute(
    context.db,
  );
  return rows[0];
}

export type OrderRow = {
  symbol: string;
  side: string;
  quantity: string;
  state: string;
  sends: number;
  reason: string | null;
};

export async function readOrders(context: Context): Promise<OrderRow[]> {
  return listRows(context.db)<OrderRow>`
    select symbol, side, quantity::text, state, sends, reason from trading.hedge_order order by id`;
}

/** Transfers between the venue and its result, signed: rebates less fees. */
export const venueResult = async (context: Context): Promise<bigint> =>
  (await getHouseBalances(context.db)).venue_result;

/**
 * What must hold whenever no order is under way: the exchange did nothing that is not booked, once, and no two of its
 * orders have one id. @returns what does not hold, in words
 */
export async function findDoubles(context: Context, node: FakeExchange): Promise<string[]> {
  const { rows } = await sql<{ client_order_id: string; filled: string; fills: string }>`
    select o.client_order_id, o.filled::text,
      coalesce((select string_agg(f.exchange_trade_id, ',' order by f.exchange_trade_id) from trading.hedge_fill f where f.order_id = o.id), '') as fills
    from trading.hedge_order o where o.exchange_order_id is not null order by o.id`.execute(context.db);
  const ours = rows.map((row) => `${row.client_order_id} ${Number(row.filled)} ${row.fills}`).toSorted();
  const theirs = node.account.orders
    .map((order) => {
      const trades = node.account.trades.filter((trade) => trade.orderId === order.id).map((trade) => trade.id);
      return `${order.clientId} ${Number(order.filled) / 1e8} ${trades.toSorted().join(',')}`;
    })
    .toSorted();
  const ids = node.account.orders.map((order) => order.clientId);
  return [
    ...theirs.filter((line) => !ours.includes(line)).map((line) => `not booked: ${line}`),
    ...ours.filter((line) => !theirs.includes(line)).map((line) => `booked, but not at the exchange: ${line}`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `twice at the exchange: ${id}`),
  ];
}
