import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { connectPostgres } from '#server/db/connect.ts';
import { hasRow, listValues } from '#server/db/rows.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { sendApi } from '#test/kit/send-api.ts';
import { waitFor, waitUntil } from '#test/kit/wait-until.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { checkBooks } from '../faults/books.ts';
import { type FaultWorld, openFaultWorld } from '../faults/fault-world.ts';
import { isOver, phases } from '../faults/phases.ts';
import { addFundedMembers } from '../faults/simulated-users.ts';
import { makeTraders } from '../faults/trade-load.ts';
import { type Cluster, type Node, type NodeCount, startCluster } from './cluster.ts';
import { type Followers, startFollowers, startLoad } from './load.ts';
import { longestPause } from './outage.ts';
import { type Processes, startProcesses } from './processes.ts';
import type { Programs } from './programs.ts';
import { DATABASE, READ_DATABASE } from './settings.ts';

const TRADERS = 16;
const APIS = 2;
const CROWD = 2000;
const PAUSE_MS = 50;
/** Duration of the load before and after each step. */
const STEADY_MS = 2000;
const RECOVERY_MS = 120_000;
const RATE_MS = 8000;
const RATE_ROUNDS = 2;

const SETTINGS = { MARKET_SPEED: '3600', LOG_LEVEL: 'warn', RATE_LIMIT: '1000000', DRAIN_SECONDS: '3' };

/** The outcome of a kill or restart. */
export type Outcome = {
  readonly what: string;
  readonly acknowledged: number;
  /** Acknowledged trades that are missing. */
  readonly lost: number;
  /** The longest time without an acknowledged trade. */
  readonly outageMs: number;
  /** Failed requests by their reply. */
  readonly failures: Readonly<Record<string, number>>;
  readonly reopened: number;
  readonly faults: readonly string[];
};

export type Rehearsal = {
  readonly outcomes: readonly Outcome[];
  /** Trades per second, for each round. */
  readonly rates: { readonly prepared: readonly number[]; readonly pooled: readonly number[] };
  /** Time until the standby accepted writes after the primary's whole node was killed. */
  readonly takeoverMs: number;
};

type Place = {
  readonly cluster: Cluster;
  readonly world: FaultWorld;
  readonly processes: Processes;
  readonly followers: Followers;
  readonly tokens: readonly string[];
  readonly operator: string;
};

/** Kills and restarts an installation of several machines, each simulated by a few local processes. */
export async function rehearseFailover(
  programs: Programs,
  nodes: NodeCount,
  say: (line: string) => void,
): Promise<Rehearsal> {
  const cluster = await startCluster(programs, nodes, APIS);
  const closing: (() => Promise<unknown>)[] = [cluster.stop];
  try {
    const { ports } = cluster;
    const url = (name: string, port = ports.primary) => `postgresql://tradewind@127.0.0.1:${port}/${name}`;
    const world = await openFaultWorld({ url }, DATABASE, SETTINGS);
    closing.push(world.database.close);
    await world.database.runScript(`alter database ${DATABASE} set jit = off`);
    await addFundedMembers(world.context, CROWD);
    const tokens = await makeTraders(world, TRADERS);
    const { token: operator } = await makeOperator(world.context, 'admin');
    const direct = { DATABASE_URL: url(DATABASE), DATABASE_PREPARED: 'on' };
    const pooled = { DATABASE_URL: url(DATABASE, ports.pgbouncer), DATABASE_PREPARED: 'off' };
    const besides = { DATABASE_LISTEN_URL: url(DATABASE), DATABASE_READ_URL: url(READ_DATABASE, ports.pgbouncer) };
    const processes = await startProcesses(ports, { ...world.env, ...besides, ...pooled, API_PROCESSES: String(APIS) });
    closing.push(processes.stop);
    const followers = await startFollowers(processes.origin, tokens);
    closing.push(followers.stop);
    const place = { cluster, world, processes, followers, tokens, operator };
    say('The installation is up.');
    const outcomes: Outcome[] = [];
    const rehearse = async (...step: Step) => {
      say(`Now ${step[0]}.`);
      outcomes.push(await underLoad(place, ...step));
    };
    await rehearse("the primary's PostgreSQL is killed", async () => (await cluster.findPrimary()).killPostgres());
    await rehearse("the primary's PostgreSQL is killed inside a settlement", () => killInSettlement(place));
    const { kill, mend, takeoverMs } = killingNode(cluster, nodes);
    await rehearse("the primary's whole node is killed", kill, mend);
    await rehearse('every process is restarted, one after the other', processes.restartAll);
    say('Now trades a second, with and without prepared statements.');
    const rates = await measureRates(place, { prepared: direct, pooled });
    return { outcomes, rates, takeoverMs: takeoverMs() };
  } catch (error) {
    say(cluster.tails());
    throw error;
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** An action on the installation, and a repair once trades are acknowledged again. */
type Step = readonly [what: string, act: () => Promise<unknown>, mend?: () => void];

/** Runs a step while trades are placed, waits for recovery, and checks that every acknowledged trade exists. */
async function underLoad(place: Place, ...[what, act, mend]: Step): Promise<Outcome> {
  const { cluster, processes, followers, tokens, world, operator } = place;
  await cluster.waitWhole();
  const closings = followers.closings();
  const load = startLoad(processes.origin, tokens, PAUSE_MS);
  const faults: string[] = [];
  let begunAt: number;
  try {
    await load.waitAcknowledged(RECOVERY_MS);
    await wait(STEADY_MS);
    begunAt = Date.now();
    await act();
    await load.waitAcknowledged(RECOVERY_MS);
    await followers.waitTold(30_000);
    await wait(STEADY_MS);
    mend?.();
  } finally {
    await load.stop();
  }
  await cluster.waitWhole();
  await waitFor(() => isOver(world.context.db, 'settlement'), 'the session is over').catch((error) => {
    faults.push(String(error));
  });
  for (const path of ['operator/overview', 'operator/ledger/transfers'])
    if ((await sendApi(processes.origin, path, { token: operator })).status !== 200) faults.push(`${path} fails`);
  const acknowledged = load.attempts.flatMap(({ tradeId }) => tradeId ?? []);
  const database = connectPostgres(world.env.DATABASE_URL as string, { max: 2 });
  const there = await listValues(database.db)<bigint>`
    select id from trading.trade where id = any (${acknowledged}::bigint[])`;
  faults.push(...(await inSnapshot(database.db, checkBooks)), ...processes.listFaults());
  await database.close();
  const failures: Record<string, number> = {};
  for (const { failure } of load.attempts) if (failure !== undefined) failures[failure] = (failures[failure] ?? 0) + 1;
  const toldAt = load.attempts.flatMap(({ at, tradeId }) => (tradeId === undefined ? [] : [at]));
  return {
    what,
    acknowledged: acknowledged.length,
    lost: acknowledged.length - there.length,
    outageMs: longestPause(toldAt, begunAt),
    failures,
    reopened: followers.closings() - closings,
    faults,
  };
}

async function killInSettlement({ cluster, world }: Place): Promise<void> {
  const { db } = world.context;
  const primary = await cluster.findPrimary();
  await phases.settlement.prepare(world.context, CROWD);
  const isInside = () => hasRow(db)`
    select from trading.session s where s.state = 'settling' and 2 = (
      select count(distinct state) from trading.trade where session_day = s.day and state in ('open', 'settled'))`;
  assert(await waitUntil(isInside, RECOVERY_MS, 5), 'a session of the crowd is settled by parts');
  primary.killPostgres();
}

/** Kills the primary's node until a standby takes over; with two nodes, commits then need it back, with three not. */
function killingNode(cluster: Cluster, nodes: NodeCount) {
  let killed: Node | undefined;
  let takeoverMs = Number.NaN;
  const mend = () => {
    killed?.start();
    killed = undefined;
  };
  const kill = async () => {
    killed = await cluster.findPrimary();
    const killedAt = Date.now();
    await killed.kill();
    const findOther = () => cluster.findPrimary().catch(() => killed);
    await waitFor(async () => (await findOther()) !== killed, 'a standby takes over');
    takeoverMs = Date.now() - killedAt;
    if (nodes === 2) mend();
  };
  return { kill, mend, takeoverMs: () => takeoverMs };
}

/** Alternates between both, so that other load on the machine affects them equally. */
async function measureRates(place: Place, env: Record<'prepared' | 'pooled', Record<string, string>>) {
  const { processes, tokens } = place;
  const rates = { prepared: [] as number[], pooled: [] as number[] };
  for (let round = 0; round < RATE_ROUNDS; round += 1)
    for (const kind of ['pooled', 'prepared'] as const) {
      await processes.restartWebs(env[kind]);
      const load = startLoad(processes.origin, tokens, 0);
      await load.waitAcknowledged(RECOVERY_MS);
      const from = Date.now();
      await wait(RATE_MS);
      const until = Date.now();
      await load.stop();
      const placed = load.attempts.filter(({ at, tradeId }) => tradeId !== undefined && at >= from && at < until);
      rates[kind].push((placed.length * 1000) / (until - from));
    }
  return rates;
}
