import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { openMemberAccounts, verifyLedger } from '#server/ledger/index.ts';
import { EXCHANGE_KEYS, type FakeExchange, startExchange } from '../fake-servers/exchange.ts';
import type { Interference } from '../fake-servers/serve-json.ts';
import { closePosition, findDoubles, openPosition, POSITIONS_OF, venueResult } from '../hedge-world.ts';
import { startServer } from '../server-process.ts';
import { waitUntil } from '../wait-until.ts';
import { type FaultCluster, type FaultWorld, openFaultWorld } from './fault-world.ts';
import type { KillReport } from './kill-rounds.ts';

/** A kill comes at any moment of an order's life: planned, sent, accepted, half booked. */
const LONGEST_WAIT_MS = 350;
/** What the exchange does with some of the orders, so that kills meet every kind of doubt. */
const TROUBLES: readonly (Interference | undefined)[] = [
  undefined,
  undefined,
  'do_and_hang',
  'delay',
  'do_and_break',
  'break',
];

type World = FaultWorld & { readonly node: FakeExchange };

/**
 * Kills the real server with SIGKILL around sending hedge orders: positions are opened and closed, a server that speaks
 * to a local exchange hedges them and is ended while an order is under way. In the end the exchange must have done what
 * is booked and nothing else, no client id twice, and its dollars must have moved by what members gained and
 * `venue_result` got, to the micro.
 */
export async function killInsideHedge(cluster: FaultCluster, kills: number): Promise<KillReport> {
  const world = await openWorld(cluster);
  const { database, context, node } = world;
  const began = node.account.balances.get('USDT') as bigint;
  const open: bigint[] = [];
  let gross = 0n;
  let done = 0;
  let rounds = 0;
  try {
    while (done < kills && rounds < kills * 2) {
      rounds += 1;
      const isBuying = open.length === 0 || randomInt(3) > 0;
      if (isBuying) open.push(await openPosition(context, 'btc', BigInt(randomInt(500_000_000, 900_000_000)), '60000'));
      else gross += await closePosition(context, open.shift() as bigint, '60300');
      if (await killWhileOrdering(world)) done += 1;
    }
    for (const id of open) gross += await closePosition(context, id, '60300');
    await finish(world);
    const faults = [...(await findDoubles(context, node)), ...(await checkBooks(world, began, gross))];
    return { kills: done, rounds, faults };
  } finally {
    await database.close();
    await node.close();
  }
}

/** @returns whether the server was killed while an order was under way */
async function killWhileOrdering({ database, node, env }: World): Promise<boolean> {
  const trouble = TROUBLES[randomInt(TROUBLES.length)];
  if (trouble !== undefined) node.interferences.push({ call: 'POST /api/v3/order', with: trouble });
  const ordered = await countOrders(database);
  const server = await startServer(env);
  const isInside = await waitUntil(async () => (await countOrders(database)) > ordered, 10_000, 5);
  await sleep(randomInt(LONGEST_WAIT_MS));
  await server.kill();
  // What was on its way arrives although its sender is gone.
  node.deliverLate();
  node.interferences.length = 0;
  return isInside;
}

/** A server that is left alone brings everything to an end. */
async function finish({ database, env }: World): Promise<void> {
  const server = await startServer(env);
  const isFinished = await waitUntil(async () => (await countPending(database)) === 0, 60_000);
  await server.stop();
  if (!isFinished) throw new Error(`positions were not hedged to the end\n${server.output()}`);
}

async function checkBooks({ context, node }: World, began: bigint, gross: bigint): Promise<string[]> {
  const moved = node.account.balances.get('USDT') as bigint;
  const [result, findings] = [await venueResult(context), await verifyLedger(context.db)];
  const movedMicros = floorDiv(moved - began, 100n);
  const coins = node.account.balances.get('BTC') ?? 0n;
  return [
    ...(movedMicros === gross + result
      ? []
      : [`dollars moved by ${movedMicros}, members gained ${gross}, result ${result}`]),
    ...(coins === 0n ? [] : [`${coins} units of btc are left at the exchange`]),
    ...findings.map(({ subject, message }) => `${subject}: ${message}`),
  ];
}

const floorDiv = (value: bigint, by: bigint): bigint => (value - (((value % by) + by) % by)) / by;

async function countOrders(database: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from trading.hedge_order`.execute(database.db);
  return rows[0]?.n ?? 0;
}

/** Orders under way, and assets whose hedge is not what positions need. */
async function countPending(database: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select ((select count(*) from trading.hedge_order where state in ('planned', 'sent'))
      + (select count(*) from trading.exposure e left join trading.hedge h using (symbol)
        where e.quantity <> coalesce(h.held, 0) or e.members_cash <> coalesce(h.members_cash, 0)))::int as n`.execute(
    database.db,
  );
  return rows[0]?.n ?? 0;
}

/**
 * Sessions come when real time brings them, and a fault test cannot wait for that: positions are written as opening and
 * settling write them, while the next session is another day's.
 */
async function openWorld(cluster: FaultCluster): Promise<World> {
  const node = await startExchange();
  Object.assign(node.account.book, { feeBps: 0n, slippageBps: 3n, pieces: 2 });
  const opened = await openFaultWorld(cluster, 'faults_hedge', {
    MARKET_FEED: 'ccxt',
    VENUE: 'ccxt',
    CCXT_EXCHANGE: 'binance',
    CCXT_URL: node.url,
    CCXT_SANDBOX: '1',
    CCXT_API_KEY: EXCHANGE_KEYS.apiKey,
    CCXT_SECRET: EXCHANGE_KEYS.secret,
  });
  const { database } = opened;
  await sql`insert into trading.follower (followed_until) values (now()) on conflict do nothing`.execute(database.db);
  await sql`
    insert into trading.session (day, opens_at, closes_at)
    values (current_date + 2, current_date + 2 + time '12:30', current_date + 2 + time '17:30')`.execute(database.db);
  await inTransaction(database.db, (tx) => openMemberAccounts(tx, [POSITIONS_OF]));
  return { ...opened, node };
}
