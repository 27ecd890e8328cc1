import { connectPostgres, type Database } from '#server/db/connect.ts';
import { type Cluster, startCluster } from '#test/database/postgres-cluster.ts';
import { type Figure, median } from './report.ts';

/**
 * Runs a benchmark on its own durable PostgreSQL.
 *
 * @param work receives the cluster and a sentence about its settings for the report
 */
export async function onCluster(
  work: (cluster: Cluster, server: string) => Promise<boolean>,
  settings: string[] = ['shared_buffers=512MB', 'max_wal_size=8GB', 'checkpoint_timeout=30min'],
): Promise<boolean> {
  const cluster = await startCluster({ durable: true, settings });
  try {
    return await work(cluster, `Server: ${['fsync and synchronous_commit on', ...settings].join(', ')}.`);
  } finally {
    await cluster.stop();
  }
}

/** One statement about the databases of a cluster: `create database ledger`. */
export async function runOn(cluster: Cluster, script: string): Promise<void> {
  const admin = connectPostgres(cluster.url('postgres'), { max: 1 });
  await admin.runScript(script);
  await admin.close();
}

/** Milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

export const inSeconds = async (work: () => Promise<unknown>): Promise<number> => (await timed(work)) / 1000;

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? Number.NaN;

export const p95 = (values: readonly number[]): number => percentile(values, 0.95);

/** p95 of consecutive calls, in milliseconds. */
export async function measureCalls(calls: number, call: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let made = 0; made < calls; made += 1) took.push(await timed(call));
  return p95(took);
}

/** A figure that must not exceed its target, in its own unit. */
export const atMost = (what: string, measured: number, unit: string, bar: number, aim: number): Figure => ({
  what,
  measured,
  unit,
  value: measured,
  bar,
  aim,
  atMost: true,
});

/** A figure that must not exceed a multiple of its reference. */
export const timesAtMost = (
  what: string,
  measured: number,
  unit: string,
  reference: { readonly what: string; readonly measured: number },
  [bar, aim]: readonly [bar: number, aim: number],
): Figure => ({
  what,
  measured,
  unit,
  reference,
  value: measured / reference.measured,
  bar,
  aim,
  atMost: true,
});

/** A rate a second that must reach a multiple of its reference, by the median of the rounds that measured both. */
export const timesAtLeast =
  <Measured extends string>(rounds: readonly Readonly<Record<Measured, number>>[]) =>
  (
    what: string,
    name: Measured,
    [reference, referenceName]: readonly [what: string, name: Measured],
    [bar, aim]: readonly [bar: number, aim: number],
  ): Figure => ({
    what,
    measured: median(rounds.map((round) => round[name])),
    unit: '/s',
    reference: { what: reference, measured: median(rounds.map((round) => round[referenceName])) },
    value: median(rounds.map((round) => round[name] / round[referenceName])),
    bar,
    aim,
    atMost: false,
  });

/** The time that plain statements take to write the same rows. */
export const againstBare = (
  what: string,
  seconds: number,
  bareSeconds: number,
  bars: readonly [bar: number, aim: number] = [3, 2],
): Figure => timesAtMost(what, seconds, 's', { what: 'bare writing of as many rows', measured: bareSeconds }, bars);

/** Ten times as many rows should take ten times as long. */
export const growth = (what: string, seconds: number, linear: number): Figure =>
  timesAtMost(
    `growth to the ${what}`,
    seconds,
    's',
    { what: 'as many times the size before', measured: linear },
    [1.2, 1],
  );

/** Peak memory of the process until stopped, in megabytes. */
export function watchMemory(): { stop: () => number } {
  let most = process.memoryUsage.rss();
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  return {
    stop: () => {
      clearInterval(timer);
      return most / 2 ** 20;
    },
  };
}

/**
 * Copies of the tables that a step changes, as they were before, and empty ones of those it adds to, with only a primary key.
 *
 * @param empty tables and their keys: `{ 'trading.equity': 'member_id, session_day' }`
 * @param kept tables as they are now, with the columns that matter
 */
export async function keepBefore(
  database: Database,
  schema: string,
  empty: Readonly<Record<string, string>>,
  kept: Readonly<Record<string, string>> = { 'ledger.account': 'id, balance' },
): Promise<void> {
  const nameOf = (table: string) => `${schema}.${table.split('.')[1]}`;
  await database.runScript(
    [
      `create schema ${schema}`,
      ...Object.entries(kept).flatMap(([table, columns]) => [
        `create table ${nameOf(table)} as select ${columns} from ${table}`,
        `alter table ${nameOf(table)} add primary key (id)`,
      ]),
      ...Object.entries(empty).map(
        ([table, key]) => `create table ${nameOf(table)} (like ${table}, primary key (${key}))`,
      ),
      `create table ${schema}.last_transfer as select max(id) as id from ledger.transfer`,
    ].join(';\n'),
  );
  await database.runScript('vacuum analyze');
  await database.runScript('checkpoint');
}

/** Writes the rows that a step added and the balances it changed again by plain statements, one per table. */
export const copyAdded = (schema: string, added: readonly string[]): string[] => [
  `insert into ${schema}.transfer select t.* from ledger.transfer t join ${schema}.last_transfer last on t.id > last.id`,
  ...added.map((table) => `insert into ${schema}.${table.split('.')[1]} select * from ${table}`),
  `update ${schema}.account b set balance = a.balance from ledger.account a where a.id = b.id and a.balance <> b.balance`,
];
