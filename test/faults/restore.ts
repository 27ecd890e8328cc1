import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { verifyAudit } from '#server/audit/index.ts';
import { connectPostgres, type Db } from '#server/db/connect.ts';
import { checkFunds } from '#server/funds/index.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { clusterOwner, makeClusterFolder, startCluster } from '../postgres-cluster.ts';
import { startServer } from '../server-process.ts';
import { waitFor } from '../wait-until.ts';
import { checkEscrow } from './books.ts';
import { openFaultWorld } from './fault-world.ts';
import { type Acknowledged, makeTraders, placeOne, startTrading } from './trade-load.ts';

export type RestoreReport = {
  /** Trades acknowledged before the point in time, and asked for after it. */
  readonly before: number;
  readonly after: number;
  /** From the start of the new cluster until it can be written to. */
  readonly restoreMs: number;
  readonly faults: readonly string[];
};

type Places = { readonly parent: string; readonly archive: string; readonly base: string };

/** What is left of the old cluster: the archived log, the base backup, and what members remember. */
type Left = Places & {
  readonly point: Date;
  readonly told: readonly Acknowledged[];
  readonly token: string;
};

const DATABASE = 'restore';
const TRADERS = 4;
const SETTINGS = { MARKET_SPEED: '3600', RATE_LIMIT: '1000000' };

/**
 * Backup and point-in-time restore as docs/operations.md describes them, on a real PostgreSQL under load: a base backup while
 * members trade, the log archived, a point in time, more trades, and the power cut. What is restored to that point has
 * every trade acknowledged before it and none that was asked for after it, the books verify, and members go on.
 *
 * @param phaseMs how long they trade before the backup, between backup and point, and after the point: so long each
 * @param parent where clusters, archive and backup lie
 */
export async function rehearseRestore(programs: string, phaseMs: number, parent = tmpdir()): Promise<RestoreReport> {
  const folder = makeClusterFolder(parent);
  const places = { parent, archive: join(folder, 'archive'), base: join(folder, 'base') };
  execFileSync('mkdir', [places.archive], clusterOwner());
  try {
    return await restore(programs, { ...places, ...(await tradeUntilCut(programs, places, phaseMs)) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tradeUntilCut(programs: string, { parent, archive, base }: Places, phaseMs: number) {
  const settings = ['archive_mode=on', `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f`];
  const cluster = await startCluster(programs, { durable: true, settings, parent });
  try {
    const world = await openFaultWorld(cluster, DATABASE, SETTINGS);
    const tokens = await makeTraders(world, TRADERS);
    const server = await startServer(world.env);
    const trading = startTrading(server.origin, tokens);
    await sleep(phaseMs);
    const from = ['-h', '127.0.0.1', '-p', String(cluster.port), '-U', 'tradewind'];
    const backup = [...from, '-D', base, '-X', 'stream', '--checkpoint=fast'];
    execFileSync(join(programs, 'pg_basebackup'), backup, { ...clusterOwner(), cwd: archive, stdio: 'pipe' });
    await sleep(phaseMs);
    const point = await readClock(world.database.db);
    await sleep(phaseMs);
    const told = await trading.stop();
    await archiveLog(world.database.db);
    await server.kill();
    await world.database.close();
    return { point, told, token: tokens[0] ?? '' };
  } finally {
    await cluster.kill();
    await cluster.stop();
  }
}

async function restore(programs: string, { parent, archive, base, point, told, token }: Left): Promise<RestoreReport> {
  execFileSync('touch', [join(base, 'recovery.signal')], clusterOwner());
  const startedAt = performance.now();
  const settings = [
    `restore_command=cp ${archive}/%f %p`,
    // Names of time zones, and Z is one, are not known yet when this is read.
    `recovery_target_time=${point.toISOString().replace('Z', '+00')}`,
    'recovery_target_action=promote',
  ];
  const cluster = await startCluster(programs, { data: base, durable: true, settings, parent });
  try {
    const database = connectPostgres(cluster.url(DATABASE), { max: 3 });
    const { db } = database;
    await waitFor(() => isWritable(db), 'the restored cluster can be written to');
    const restoreMs = performance.now() - startedAt;
    const there = await listTradeIds(db);
    const before = told.filter(({ toldAt }) => toldAt < point.getTime());
    const after = told.filter(({ askedAt }) => askedAt > point.getTime());
    const faults = [
      ...before.filter(({ tradeId }) => !there.has(tradeId)).map(({ tradeId }) => `trade ${tradeId} is lost`),
      ...after.filter(({ tradeId }) => there.has(tradeId)).map(({ tradeId }) => `trade ${tradeId} is from later`),
      ...(await checkEscrow(db)),
      ...[...(await verifyLedger(db)), ...(await checkFunds(db)), ...(await verifyAudit(db))].map(
        ({ subject, message }) => `${subject}: ${message}`,
      ),
    ];
    const server = await startServer({ ...SETTINGS, DATABASE_URL: cluster.url(DATABASE) });
    await placeOne(server.origin, token);
    await server.stop();
    await database.close();
    return { before: before.length, after: after.length, restoreMs, faults };
  } finally {
    await cluster.stop();
  }
}

async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  return rows[0]?.at as Date;
}

/** Ends the log's last file and waits until it is in the archive, as `archive_timeout` would. */
async function archiveLog(db: Db): Promise<void> {
  const { rows } = await sql<{ file: string }>`select pg_walfile_name(pg_switch_wal()) as file`.execute(db);
  const last = rows[0]?.file ?? '';
  await waitFor(async () => {
    const { rows: archived } = await sql<{ done: boolean | null }>`
      select last_archived_wal >= ${last} as done from pg_stat_archiver`.execute(db);
    return archived[0]?.done === true;
  }, 'the log is archived');
}

async function isWritable(db: Db): Promise<boolean> {
  const { rows } = await sql<{ writable: boolean }>`select not pg_is_in_recovery() as writable`.execute(db);
  return rows[0]?.writable === true;
}

async function listTradeIds(db: Db): Promise<ReadonlySet<bigint>> {
  const { rows } = await sql<{ id: bigint }>`select id from trading.trade`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
