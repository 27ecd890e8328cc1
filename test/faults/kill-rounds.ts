import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { prepare } from '#server/boot.ts';
import { readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { connectPostgres, type Database } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import type { Cluster } from '../postgres-cluster.ts';
import { startServer } from '../server-process.ts';
import { checkBooks, checkEscrow } from './books.ts';
import { addFundedMembers } from './crowd.ts';
import { isOver, type Phase, phases } from './phases.ts';

export type KillReport = {
  readonly phase: Phase;
  readonly kills: number;
  readonly rounds: number;
  readonly faults: readonly string[];
};

const ENV = {
  MARKET_SPEED: '3600',
  // A Sunday and the last of a month: the first session ends both.
  MARKET_START: '2026-05-31T12:20:00Z',
  LOG_LEVEL: 'error',
  SANDBOX_SECRET: 'a secret of these faults alone',
};

/**
 * Kills the real server with SIGKILL inside one phase of its sessions until it happened `kills` times: a crowd has trades
 * and plans, and the server is ended while some of what the phase does is done and some is not. After each kill the money
 * in escrow must be that of the trades; after each round the books must balance to the micro.
 */
export async function killInside(cluster: Cluster, phase: Phase, kills: number, members = 2000): Promise<KillReport> {
  const { database, context, url } = await openWorld(cluster, `faults_${phase}`);
  const faults: string[] = [];
  let done = 0;
  let rounds = 0;
  try {
    await addFundedMembers(context, members);
    while (done < kills && rounds < kills * 2) {
      rounds += 1;
      await phases[phase].prepare(context, members);
      done += await playRound(database, url, phase, kills - done, faults);
      faults.push(...(await checkBooks(database.db)).map((fault) => `round ${rounds}: ${fault}`));
    }
    return { phase, kills: done, rounds, faults };
  } finally {
    await database.close();
  }
}

/** Starts, kills and restarts the server until the session of these trades is settled. */
async function playRound(
  database: Database,
  url: string,
  phase: Phase,
  wanted: number,
  faults: string[],
): Promise<number> {
  let kills = 0;
  for (;;) {
    const server = await startServer({ ...ENV, DATABASE_URL: url });
    const isInside = await waitFor(database, phase, kills < wanted);
    if (!isInside) {
      await server.stop();
      return kills;
    }
    // Somewhere inside the next chunk, not always at its beginning.
    await sleep(randomInt(0, 60));
    await server.kill();
    kills += 1;
    await waitUntilAlone(database);
    faults.push(...(await checkEscrow(database.db)).map((fault) => `kill ${kills} inside ${phase}: ${fault}`));
  }
}

/** True when the server is inside the phase and is to be killed there; false when it is over. */
async function waitFor(database: Database, phase: Phase, isWanted: boolean): Promise<boolean> {
  for (let attempt = 0; attempt < 50_000; attempt += 1) {
    if (isWanted && (await phases[phase].isInside(database.db))) return true;
    if (await isOver(database.db, phase)) return false;
    await sleep(3);
  }
  throw new Error(`${phase} did not come to its end`);
}

/** The killed server's transactions end when PostgreSQL notices that nobody is there. */
async function waitUntilAlone(database: Database): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(database.db);
    if (rows[0]?.n === 0) return;
    await sleep(10);
  }
  throw new Error('connections of the killed server stay');
}

async function openWorld(
  cluster: Cluster,
  name: string,
): Promise<{ database: Database; context: Context; url: string }> {
  const admin = connectPostgres(cluster.url('postgres'), { max: 1 });
  await admin.runScript(`create database ${name}`);
  await admin.close();
  const url = cluster.url(name);
  const database = connectPostgres(url, { max: 3 });
  await migrate(database);
  const config = readConfig({ ...ENV, DATABASE_URL: url });
  const context: Context = { db: database.db, config, now: () => new Date(), log: pino({ level: 'error' }) };
  await prepare(context);
  return { database, context, url };
}
