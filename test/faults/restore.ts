import { execFileSync } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { verifyAudit } from '#server/audit/index.ts';
import type { Db } from '#server/db/connect.ts';
import { checkFunds } from '#server/funds/index.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { verifySignatures } from '#server/solvency/index.ts';
import { makeAgeKey } from '#test/database/age.ts';
import { type Cluster, clusterOwner, makeClusterFolder, startCluster } from '#test/database/postgres-cluster.ts';
import { startServer } from '#test/kit/server-process.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { checkEscrow } from './books.ts';
import { openFaultWorld } from './fault-world.ts';
import { restoreBackup } from './restore-backup.ts';
import { type Acknowledged, makeTraders, placeOne, startTrading } from './trade-load.ts';

export type RestoreReport = {
  /** Trades acknowledged before the recovery target, and requested after it. */
  readonly before: number;
  readonly after: number;
  /** From the start of the new cluster until it accepts writes. */
  readonly restoreMs: number;
  readonly faults: readonly string[];
};

type Places = {
  readonly parent: string;
  readonly archive: string;
  readonly backups: string;
  readonly identity: string;
};

/** What survives the old cluster: archived WAL, the encrypted base backup, and the trades acknowledged to members. */
type Left = Places & {
  readonly point: Date;
  readonly told: readonly Acknowledged[];
  readonly token: string;
};

export type BackupOrder = {
  readonly database: string;
  readonly archive: string;
  readonly backups: string;
  /** An age public key. */
  readonly recipient: string;
  readonly keep?: number;
};

const BACKUP = join(import.meta.dirname, '../../deploy/backup');
const DATABASE = 'restore';
const TRADERS = 4;
const SETTINGS = { MARKET_SPEED: '3600', RATE_LIMIT: '1000000' };

/**
 * Backup and point-in-time restore as in docs/operations.md, on a real PostgreSQL under load: `deploy/backup` while
 * members trade, WAL archiving, a recovery target, more trades, and a power cut. The restored database must hold every
 * trade acknowledged before the target and none requested after it, the ledger must verify, and members must be able to
 * trade.
 *
 * @param phaseMs how long members trade in each phase: before the backup, from backup to target, and after the target
 * @param parent folder of the clusters, the archive and the backups
 */
export async function rehearseRestore(phaseMs: number, parent = tmpdir()): Promise<RestoreReport> {
  const folder = makeClusterFolder(parent);
  const [archive, backups] = [join(folder, 'archive'), join(folder, 'backups')];
  const places = { parent, archive, backups, identity: join(folder, 'identity') };
  execFileSync('mkdir', [archive, backups], clusterOwner());
  try {
    return await restore({ ...places, ...(await tradeUntilCut(places, phaseMs)) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tradeUntilCut({ parent, archive, backups, identity }: Places, phaseMs: number) {
  const recipient = makeAgeKey(identity);
  const settings = ['archive_mode=on', `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f`];
  const cluster = await startCluster({ durable: true, settings, parent });
  try {
    const world = await openFaultWorld(cluster, DATABASE, SETTINGS);
    const tokens = await makeTraders(world, TRADERS);
    const server = await startServer(world.env);
    const trading = startTrading(server.origin, tokens);
    await sleep(phaseMs);
    takeBackup(cluster, { database: DATABASE, archive, backups, recipient });
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

/** Runs `deploy/backup` against a cluster. @throws with its output when it fails */
export function takeBackup(
  cluster: Pick<Cluster, 'programs' | 'port'>,
  { database, archive, backups, recipient, keep = 14 }: BackupOrder,
): void {
  execFileSync(BACKUP, {
    ...clusterOwner(),
    cwd: archive,
    stdio: 'pipe',
    env: {
      PATH: `${cluster.programs}:${process.env.PATH}`,
      PGHOST: '127.0.0.1',
      PGPORT: String(cluster.port),
      PGUSER: 'tradewind',
      PGDATABASE: database,
      BACKUP_DIR: backups,
      ARCHIVE_DIR: archive,
      BACKUP_RECIPIENT: recipient,
      BACKUP_KEEP: String(keep),
    },
  });
}

/** Full paths of the encrypted backups in a folder, oldest first. */
export const listBackups = (backups: string): string[] =>
  globSync('*.tar.gz.age', { cwd: backups })
    .toSorted()
    .map((name) => join(backups, name));

function restore(left: Left): Promise<RestoreReport> {
  const { parent, archive, backups, identity, point, told, token } = left;
  const [file = ''] = listBackups(backups);
  const backup = { file, identity, archive, until: point, database: DATABASE, user: 'tradewind' };
  return restoreBackup(
    backup,
    async ({ url, db, restoreMs }) => {
      const there = await listTradeIds(db);
      const before = told.filter(({ toldAt }) => toldAt < point.getTime());
      const after = told.filter(({ askedAt }) => askedAt > point.getTime());
      const faults = [
        ...before.filter(({ tradeId }) => !there.has(tradeId)).map(({ tradeId }) => `trade ${tradeId} is lost`),
        ...after.filter(({ tradeId }) => there.has(tradeId)).map(({ tradeId }) => `trade ${tradeId} is from later`),
        ...(await checkEscrow(db)),
        ...(await listDiscrepancies(db)),
      ];
      const server = await startServer({ ...SETTINGS, DATABASE_URL: url });
      await placeOne(server.origin, token);
      await server.stop();
      return { before: before.length, after: after.length, restoreMs, faults };
    },
    parent,
  );
}

/** The discrepancies of `npm run ledger:verify`, a line each. */
export const listDiscrepancies = async (db: Db): Promise<string[]> =>
  [
    ...(await verifyLedger(db)),
    ...(await checkFunds(db)),
    ...(await verifyAudit(db)),
    ...(await verifySignatures(db, undefined)),
  ].map(({ subject, message }) => `${subject}: ${message}`);

async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  return rows[0]?.at as Date;
}

/** Switches to a new WAL file and waits until the old one is archived, as with `archive_timeout`. */
async function archiveLog(db: Db): Promise<void> {
  const { rows } = await sql<{ file: string }>`select pg_walfile_name(pg_switch_wal()) as file`.execute(db);
  const last = rows[0]?.file ?? '';
  await waitFor(async () => {
    const { rows: archived } = await sql<{ done: boolean | null }>`
      select last_archived_wal >= ${last} as done from pg_stat_archiver`.execute(db);
    return archived[0]?.done === true;
  }, 'the log is archived');
}

async function listTradeIds(db: Db): Promise<ReadonlySet<bigint>> {
  const { rows } = await sql<{ id: bigint }>`select id from trading.trade`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
