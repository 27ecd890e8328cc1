import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '#server/db/connect.ts';
import { startServer } from '#test/kit/server-process.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { checkBooks, checkEscrow } from './books.ts';
import { type FaultCluster, openFaultWorld } from './fault-world.ts';
import { isOver, type Phase, phases } from './phases.ts';
import { addFundedMembers } from './simulated-users.ts';

export type KillReport = {
  readonly kills: number;
  readonly rounds: number;
  readonly faults: readonly string[];
};

const SETTINGS = {
  MARKET_SPEED: '3600',
  // A Sunday at the end of a month: the first session ends both periods.
  MARKET_START: '2026-05-31T12:20:00Z',
};

/**
 * Sends the real server SIGKILL inside each phase of its sessions, `kills` times, while members have trades and plans
 * and the phase is partly done. After each kill the money in escrow must equal that of the trades; after each round the
 * ledger must balance to the micro. Several phases share the same sessions: they must be listed in order of occurrence,
 * and a round ends with the last.
 */
export async function killInside(
  cluster: FaultCluster,
  inside: readonly Phase[],
  kills: number,
  members = 2000,
): Promise<KillReport> {
  const [first, last] = [inside[0] as Phase, inside.at(-1) as Phase];
  const { database, context, env } = await openFaultWorld(cluster, `faults_${inside.join('_')}`, SETTINGS);
  const wanted = inside.flatMap((phase) => Array.from({ length: kills }, () => phase));
  const faults: string[] = [];
  let done = 0;
  let rounds = 0;
  try {
    await addFundedMembers(context, members);
    while (done < wanted.length && rounds < wanted.length * 2) {
      rounds += 1;
      await phases[first].prepare(context, members);
      done += await playRound(database, env, { wanted: wanted.slice(done), last }, faults);
      faults.push(...(await checkBooks(database.db)).map((fault) => `round ${rounds}: ${fault}`));
    }
    return { kills: done, rounds, faults };
  } finally {
    await database.close();
  }
}

/** Starts, kills and restarts the server until the session of these trades is settled. */
async function playRound(
  database: Database,
  env: Record<string, string>,
  { wanted, last }: { wanted: readonly Phase[]; last: Phase },
  faults: string[],
): Promise<number> {
  let kills = 0;
  for (;;) {
    const server = await startServer(env);
    const phase = wanted[kills];
    const isInside = await waitInside(database, phase, last);
    if (!isInside) {
      await server.stop();
      return kills;
    }
    // A random delay, so that kills do not all come at the start of a chunk.
    await sleep(randomInt(0, 60));
    await server.kill();
    kills += 1;
    await waitUntilAlone(database);
    faults.push(...(await checkEscrow(database.db)).map((fault) => `kill ${kills} inside ${phase}: ${fault}`));
  }
}

/** Waits until the server is inside `phase`, if given (true), or `last` is over (false). */
async function waitInside(database: Database, phase: Phase | undefined, last: Phase): Promise<boolean> {
  for (let attempt = 0; attempt < 50_000; attempt += 1) {
    if (phase !== undefined && (await phases[phase].isInside(database.db))) return true;
    if (await isOver(database.db, last)) return false;
    await sleep(3);
  }
  throw new Error(`${last} did not come to its end`);
}

/** PostgreSQL ends the killed server's transactions when it notices the lost connections. */
const waitUntilAlone = (database: Database): Promise<void> =>
  waitFor(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(database.db);
    return rows[0]?.n === 0;
  }, 'connections of the killed server end');
