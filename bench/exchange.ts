import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { coinAt, listAssets } from '#server/market/index.ts';
import type { Venue } from '#server/trading/execution/venue-port.ts';
import { executeBatches, followMarket } from '#server/trading/index.ts';
import { cancelOverLimits } from '#server/trading/limits/cancel-over-limits.ts';
import { readSnapshot } from '#server/trading/session/follow-market.ts';
import { openSession } from '#server/trading/session/open-due-trades.ts';
import { hasQueuedTrades } from '#server/trading/session/opening-sql.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { type FakeExchange, startExchange } from '#test/fake-servers/exchange.ts';
import { playUntil } from '#test/recorded/recorded-market.ts';
import { openTestVenue, tradedAt } from '#test/worlds/exchange-world.ts';
import { inSeconds, onCluster, runOn, timesAtMost } from './measure.ts';
import { median, report } from './report.ts';
import { expectTrades, queueTrades } from './settle.ts';
import { inBatches, openWorld } from './world.ts';

const TRADES = 100_000;
const ROUNDS = 3;
const MAX_ROUNDS = 5;

type Measured = {
  readonly opened: number;
  readonly settled: number;
  /** Calls to the exchange for the batches of each. */
  readonly openedTrips?: number;
  readonly settledTrips?: number;
};

/**
 * Opening and settling through a local exchange against the paper venue (docs/performance.md): one batch and order per
 * asset, and at the end five partial sales of the open positions. Both alternate. One round trip per batch, measured
 * alone (book, order, look-up and fills), is deducted.
 *
 * @returns whether every figure meets its target
 */
export async function runExchangeBench(trades = TRADES): Promise<boolean> {
  return onCluster(
    async (cluster, server) => {
      const paper: Measured[] = [];
      const exchange: Measured[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        paper.push(await onPaper(cluster, `paper_${round}`, trades));
        exchange.push(await atExchange(cluster, `exchange_${round}`, trades));
      }
      const of = (all: readonly Measured[], name: keyof Measured) => median(all.map((one) => one[name] ?? 0));
      const figure = (what: string, name: 'opened' | 'settled') =>
        timesAtMost(
          what,
          of(exchange, name) - of(exchange, `${name}Trips`),
          's',
          { what: 'the paper venue', measured: of(paper, name) },
          [1.3, 1.1],
        );
      const trips = `${of(exchange, 'openedTrips').toFixed(2)} s and ${of(exchange, 'settledTrips').toFixed(2)} s`;
      return report(
        'exchange',
        'Execution at an exchange',
        [figure(`opening of ${trades} trades`, 'opened'), figure(`settlement of ${trades} trades`, 'settled')],
        [`${server} ${ROUNDS} rounds, medians. The exchange is a local server; round trips of ${trips} are taken off.`],
      );
    },
    ['shared_buffers=4GB', 'max_wal_size=8GB', 'checkpoint_timeout=30min'],
  );
}

async function onPaper(cluster: Cluster, name: string, trades: number): Promise<Measured> {
  return withTrades(cluster, { name, trades }, async (context) => {
    const opened = await inSeconds(() => followMarket(context));
    await expectTrades(context, 'open', trades);
    const follow = () => followMarket(context);
    await playUntil(context, '2026-03-04T12:31:00Z', follow);
    await playUntil(context, '2026-03-04T17:29:30Z', follow);
    await playUntil(context, '2026-03-04T17:30:00Z', async () => {});
    return { opened, settled: await inSeconds(() => followMarket(context)) };
  });
}

async function atExchange(cluster: Cluster, name: string, trades: number): Promise<Measured> {
  const node = await startExchange({ USDT: '80000000000' });
  try {
    let venue: Venue | undefined;
    const prepare = async (paper: Context) => {
      const context = tradedAt(paper, node);
      venue = await openTestVenue(context, node);
      // Deep enough for everything: trades above half of a book's depth would not open.
      for (const pair of node.market.pairs.values())
        Object.assign(pair, { maxQuantity: '900000000.00000000', tickSize: '0.00000100' });
      node.account.book.coinsAPiece = '900000000';
      await followPrices(context, node);
      // Read before a session: terms, balances, and the depth of each book.
      await executeBatches(context, venue);
    };
    return await withTrades(cluster, { name, trades, prepare }, async (paper) => {
      const context = tradedAt(paper, node);
      await cancelOverLimits(context, await readSnapshot(context));
      const opened = await inSeconds(async () => {
        // If a price moved between book and fill, a trade at the limit opens in the next round.
        for (let round = 0; round < MAX_ROUNDS && (await hasQueuedTrades(context.db)); round += 1)
          await executeBatches(context, venue);
      });
      await expectTrades(context, 'open', trades);
      const openedTrips = await timeTrips(venue as Venue, node);
      await playUntil(context, '2026-03-04T17:25:05Z', () => followMarket(context));
      let settled = 0;
      for (const minute of ['25:10', '26:05', '27:05', '28:05', '29:05', '30:00', '30:05']) {
        await playUntil(context, `2026-03-04T17:${minute}Z`, async () => {});
        await followPrices(context, node);
        const isOver = minute.startsWith('30');
        // Following the market before the close is not measured on paper either.
        if (!isOver) await followMarket(context);
        settled += await inSeconds(async () => {
          await executeBatches(context, venue);
          if (isOver) await followMarket(context);
        });
      }
      const settledTrips = (await timeTrips(venue as Venue, node)) - openedTrips;
      return { opened, settled, openedTrips, settledTrips };
    });
  } finally {
    await node.close();
  }
}

/** Seconds that the calls of all batches so far take on their own. */
async function timeTrips(venue: Venue, { account }: FakeExchange): Promise<number> {
  const orders = account.orders.filter(({ symbol }) => symbol === 'BTCUSDT');
  const { id, clientId } = orders[0] as (typeof orders)[number];
  const trips: number[] = [];
  for (let turn = 0; turn < 20; turn += 1)
    trips.push(
      await inSeconds(async () => {
        await venue.readBook('btc', '0.003');
        await venue.findOrder('btc', clientId);
        await venue.findOrder('btc', clientId);
        await venue.listFills('btc', String(id));
      }),
    );
  return median(trips) * account.orders.length;
}

/** Prices of the exchange are those of the recording. */
async function followPrices({ db }: Context, node: FakeExchange): Promise<void> {
  for (const { symbol, mark } of await listAssets(db)) {
    const pair = node.market.pairs.get(`${coinAt('binance', symbol)}USDT`);
    if (pair !== undefined && mark !== null) pair.lastPrice = Number(mark.price).toFixed(6);
  }
}

/** An open session with this many queued trades. */
async function withTrades(
  cluster: Cluster,
  { name, trades, prepare }: { name: string; trades: number; prepare?: (context: Context) => Promise<void> },
  measure: (context: Context) => Promise<Measured>,
): Promise<Measured> {
  const { context, remove } = await openWorld(cluster, name, trades, 1_000_000_000n);
  try {
    await prepare?.(context);
    await playUntil(context, '2026-03-04T12:30:00Z', async () => {});
    await openSession(context, await readSnapshot(context), async () => true);
    await inBatches(trades, (first, last) => queueTrades(context, first, last));
    // Limits are counted when they are set, well before.
    await sql`update trading.asset_limit set set_at = set_at - interval '1 minute'`.execute(context.db);
    // Writes and clean-up left over from queuing are not measured.
    await sql`vacuum analyze`.execute(context.db);
    await runOn(cluster, 'checkpoint');
    const measured = await measure(context);
    await expectTrades(context, 'settled', trades);
    process.stderr.write(
      `${name}: opened in ${measured.opened.toFixed(2)} s, settled in ${measured.settled.toFixed(2)} s\n`,
    );
    return measured;
  } finally {
    await remove();
  }
}
