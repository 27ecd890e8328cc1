import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { listRows } from '#server/db/rows.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { placeTrade } from '#server/trading/index.ts';
import { startServer } from '#test/kit/server-process.ts';
import { waitUntil } from '#test/kit/wait-until.ts';
import { findDuplicates, venueResult } from '#test/worlds/exchange-world.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { openSessionNow } from '#test/worlds/session-now.ts';
import { type FakeExchange, settingsAt, startExchange } from '../fake-servers/exchange.ts';
import type { Interference } from '../fake-servers/serve-json.ts';
import { type FaultCluster, type FaultWorld, openFaultWorld } from './fault-world.ts';
import type { KillReport } from './kill-rounds.ts';

/** Kills come at a random time in a batch's life: planned, sent, accepted, filled or half booked. */
const MAX_WAIT_MS = 350;
/** What the exchange does to some orders, so that kills meet every kind of unknown outcome. */
const TROUBLES: readonly (Interference | undefined)[] = [
  undefined,
  undefined,
  'do_and_hang',
  'delay',
  'do_and_break',
  'break',
];
const MEMBERS = 4;

type World = FaultWorld & { readonly node: FakeExchange; readonly memberIds: readonly bigint[] };

/**
 * Sends the real server SIGKILL during a batch: members place and close trades, and the server, which trades at a local
 * exchange, is killed while an order is under way. In the end the exchange must have executed exactly what is booked,
 * each client id once, every trade must have its result, and the exchange's dollar balance must have changed by the
 * members' gains plus `venue_result`, to the micro.
 */
export async function killInsideBatch(cluster: FaultCluster, kills: number): Promise<KillReport> {
  const world = await openWorld(cluster);
  const { database, context, node } = world;
  const began = node.account.balances.get('USDT') as bigint;
  let done = 0;
  let rounds = 0;
  try {
    while (done < kills && rounds < kills * 2) {
      rounds += 1;
      await trade(world);
      if (await killWhileOrdering(world)) done += 1;
    }
    await finish(world);
    const faults = [...(await findDuplicates(context, node)), ...(await checkBooks(world, began))];
    return { kills: done, rounds, faults };
  } finally {
    await database.close();
    await node.close();
  }
}

/** One purchase, and closing some of the open trades. */
async function trade({ context, memberIds }: World): Promise<void> {
  const memberId = memberIds[randomInt(MEMBERS)] as bigint;
  await placeTrade(context, memberId, { tradeId: 'btc', amount: randomInt(500, 900), wallet_type: 'primary' });
  if (randomInt(2) === 0) await requestClose(context.db, 1);
}

const requestClose = (db: World['context']['db'], count: number) =>
  sql`
    update trading.trade set close_requested_at = (select at from market.clock), close_cause = 'close_now'
    where id in (select id from trading.trade where state = 'open' and close_requested_at is null order by id limit ${count})`.execute(
    db,
  );

/** @returns whether the server was killed while a batch was under way */
async function killWhileOrdering({ context, node, env }: World): Promise<boolean> {
  const trouble = TROUBLES[randomInt(TROUBLES.length)];
  if (trouble !== undefined) node.interferences.push({ call: 'POST /api/v3/order', with: trouble });
  const planned = await countBatches(context.db);
  const server = await startServer(env);
  const isInside = await waitUntil(async () => (await countBatches(context.db)) > planned, 15_000, 5);
  await sleep(randomInt(MAX_WAIT_MS));
  await server.kill();
  // Calls in transit arrive although their sender is dead.
  node.deliverLate();
  node.interferences.length = 0;
  return isInside;
}

/** An undisturbed server must complete everything; then all open trades are closed. */
async function finish({ context, env }: World): Promise<void> {
  const server = await startServer(env);
  const hasNone = (of: ReturnType<typeof sql>) => async () => (await of.execute(context.db)).rows.length === 0;
  const unopened = sql`select 1 from trading.trade where state = 'queued' union all select 1 from trading.batch where state in ('planned', 'sent', 'filled')`;
  const isOpened = await waitUntil(hasNone(unopened), 60_000);
  await requestClose(context.db, 1_000_000);
  const isSold = await waitUntil(hasNone(sql`select 1 from trading.trade where state in ('queued', 'open')`), 60_000);
  const isBooked = await waitUntil(
    hasNone(sql`select 1 from trading.batch where state in ('planned', 'sent', 'filled')`),
    30_000,
  );
  await server.stop();
  if (!isOpened || !isSold || !isBooked) throw new Error(`trades were not brought to an end\n${server.output()}`);
}

async function checkBooks({ context, node }: World, began: bigint): Promise<string[]> {
  const rows = await listRows(context.db)<{ gross: bigint; held: string; residual: bigint }>`
    select (select coalesce(sum(gross), 0)::bigint from trading.trade where state = 'settled') as gross,
      (select held::text from trading.holding where symbol = 'btc') as held,
      (select e.members_cash - h.members_cash from trading.exposure e join trading.holding h using (symbol) where symbol = 'btc') as residual`;
  const { gross = 0n, held = '0', residual = 0n } = rows[0] ?? {};
  const moved = ((node.account.balances.get('USDT') as bigint) - began) / 100n;
  const [result, found] = [await venueResult(context), await verifyLedger(context.db)];
  const coins = Number(node.account.balances.get('BTC') ?? 0n) / 1e8;
  const apart = moved - (gross + result - residual);
  return [
    ...(apart >= -1n && apart <= 1n
      ? []
      : [`dollars moved by ${moved}, members gained ${gross}, result ${result}, residual ${residual}`]),
    ...(Math.abs(coins - Number(held)) < 1e-9 ? [] : [`${coins} btc at the exchange, ${held} in the books`]),
    ...found.map(({ subject, message }) => `${subject}: ${message}`),
  ];
}

async function countBatches(db: World['context']['db']): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from trading.batch`.execute(db);
  return rows[0]?.n ?? 0;
}

async function openWorld(cluster: FaultCluster): Promise<World> {
  const node = await startExchange({ USDT: '10000000' });
  Object.assign(node.account.book, { slippageBps: 3n, pieces: 2 });
  const opened = await openFaultWorld(cluster, 'faults_batch', settingsAt(node));
  const { context } = opened;
  await openSessionNow(context.db);
  const memberIds: bigint[] = [];
  for (let index = 0; index < MEMBERS; index += 1) {
    const { memberId } = await signUp(context, { email: `batch.${index}@example.com` });
    await giveFunds(context, memberId, 1_000_000_000_000n);
    memberIds.push(memberId);
  }
  return { ...opened, node, memberIds };
}
