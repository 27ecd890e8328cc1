import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { runOn } from './measure.ts';

const CONNECTIONS = 8;
const DATABASE = 'pgbench';

/** PostgreSQL's own benchmark as the reference: its tables at scale 20, in a separate database. */
export async function preparePgbench(cluster: Cluster): Promise<void> {
  await runOn(cluster, `create database ${DATABASE}`);
  await pgbench(cluster, [DATABASE, 'tradewind'], ['-i', '-q', '-s', '20']);
}

/** Transactions a second of `pgbench -N` (an update, a select and an insert in each), 8 connections. */
export const runReference = (cluster: Cluster, seconds: number): Promise<number> =>
  measure(cluster, [DATABASE, 'tradewind'], ['-N'], seconds);

/** Transactions a second of a given script on as many connections, with prepared statements as in the application. */
export async function runScript(cluster: Cluster, login: Login, script: string, seconds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-pgbench-'));
  try {
    const file = join(folder, 'script.sql');
    writeFileSync(file, script);
    return await measure(
      cluster,
      login,
      ['-n', '-M', 'prepared', '-f', file, '-D', 'n=0', '-D', `run=${Date.now()}`],
      seconds,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Login = readonly [database: string, user: string];

async function measure(cluster: Cluster, login: Login, args: readonly string[], seconds: number): Promise<number> {
  const load = ['-c', String(CONNECTIONS), '-j', '2', '-T', String(seconds)];
  const output = await pgbench(cluster, login, [...args, ...load]);
  const failed = Number(/number of failed transactions: (\d+)/.exec(output)?.[1] ?? 0);
  if (failed > 0) throw new Error(`pgbench: ${failed} transactions failed\n${output}`);
  return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
}

async function pgbench(cluster: Cluster, [database, user]: Login, args: readonly string[]): Promise<string> {
  const server = ['-h', '127.0.0.1', '-p', String(cluster.port), '-U', user];
  const { stdout } = await promisify(execFile)(join(cluster.programs, 'pgbench'), [...server, ...args, database]);
  return stdout;
}
