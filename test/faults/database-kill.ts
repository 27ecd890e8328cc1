import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { prepare } from '#server/boot.ts';
import { connectPostgres } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { type Cluster, startCluster } from '#test/database/postgres-cluster.ts';
import { sendApi } from '#test/kit/send-api.ts';
import { startServer } from '#test/kit/server-process.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { checkBooks } from './books.ts';
import { makeTraders } from './trade-load.ts';

const TRADERS = 8;
const BETWEEN_KILLS = 40;
const AWAY_MS = 1500;
const RECOVERY_MS = 30_000;
const RETRY_MS = 100;

export type DatabaseKillReport = {
  readonly kills: number;
  readonly trades: number;
  readonly refused: number;
  readonly faults: string[];
};

/**
 * Kills PostgreSQL under a load of trades, `kills` times, and restarts it a moment later. A rejected request is retried
 * with the same key, so in the end each trade must exist once, whatever became of its first request.
 */
export async function killDatabase(kills: number): Promise<DatabaseKillReport> {
  // Acknowledged commits are on disk, unlike in other tests.
  const cluster = await startCluster({ settings: ['synchronous_commit=on'] });
  try {
    return await killUnderLoad(cluster, kills);
  } finally {
    await cluster.stop();
  }
}

async function killUnderLoad(cluster: Cluster, kills: number): Promise<DatabaseKillReport> {
  const database = connectPostgres(cluster.url('postgres'));
  await migrate(database);
  const context = testContext(database, testClock(new Date().toISOString()));
  await prepare(context);
  const tokens = await makeTraders({ context }, TRADERS);
  const server = await startServer({ DATABASE_URL: cluster.url('postgres'), RATE_LIMIT: '1000000' });
  const faults: string[] = [];
  const load = startPersistentTrading(server.origin, tokens, faults);
  try {
    for (let killed = 0; killed < kills; killed += 1) {
      const trades = load.told.size;
      if (!(await hasHappened(() => load.told.size >= trades + BETWEEN_KILLS))) faults.push('trading did not go on');
      const refused = load.countRefused();
      await cluster.kill();
      await wait(AWAY_MS);
      if (load.countRefused() === refused) faults.push('nothing was refused while PostgreSQL was away');
      await cluster.start();
      const before = load.told.size;
      if (!(await hasHappened(() => load.told.size > before))) faults.push('no trade after PostgreSQL was back');
    }
    await load.stop();
    const { rows } = await sql<{ id: bigint }>`select id from trading.trade`.execute(database.db);
    const stored = new Set(rows.map(({ id }) => String(id)));
    for (const id of load.told) if (!stored.has(id)) faults.push(`trade ${id} was acknowledged and is lost`);
    if (stored.size !== load.told.size) faults.push(`${stored.size} trades are there, ${load.told.size} were wanted`);
    faults.push(...(await checkBooks(database.db)));
    return { kills, trades: load.told.size, refused: load.countRefused(), faults };
  } finally {
    await load.stop();
    await server.stop();
    await database.close();
  }
}

/** Each member places one trade after another, and retries a temporary rejection with the same key. */
function startPersistentTrading(origin: string, tokens: readonly string[], faults: string[]) {
  let isOver = false;
  let refused = 0;
  const told = new Set<string>();
  const trade = async (token: string) => {
    const body = { tradeId: 'btc', amount: 5, wallet_type: 'primary' };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    while (true) {
      const reply = await sendApi(origin, 'trading/do-trade', { token, body, headers });
      const { code, data } = (await reply.json()) as { code?: string; data?: { id: string } };
      if (data?.id !== undefined) return void told.add(data.id);
      if (reply.status !== 503 || reply.headers.get('retry-after') === null) faults.push(`${reply.status} ${code}`);
      refused += 1;
      await wait(RETRY_MS);
    }
  };
  const ends = Promise.all(
    tokens.map(async (token) => {
      while (!isOver) await trade(token);
    }),
  );
  return {
    told,
    countRefused: () => refused,
    stop: async () => {
      isOver = true;
      await ends;
    },
  };
}

async function hasHappened(condition: () => boolean): Promise<boolean> {
  const giveUpAt = performance.now() + RECOVERY_MS;
  while (!condition() && performance.now() < giveUpAt) await wait(20);
  return condition();
}
