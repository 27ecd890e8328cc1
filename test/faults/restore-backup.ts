import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BadConfig } from '#server/config.ts';
import { connectPostgres, type Db } from '#server/db/connect.ts';
import { findValue, getRow } from '#server/db/rows.ts';
import { clusterOwner, makeClusterFolder, requirePostgresPrograms } from '#test/database/postgres-cluster.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export type EncryptedBackup = {
  /** A file written by `deploy/backup`. */
  readonly file: string;
  /** The private key file. */
  readonly identity: string;
  /** The folder of archived WAL. */
  readonly archive: string;
  /** The recovery target; the end of the archive by default. */
  readonly until?: Date;
  readonly database: string;
  /** A superuser of the original cluster. */
  readonly user: string;
};

export type Restored = {
  readonly url: string;
  readonly db: Db;
  /** From the start of the new cluster until it accepts writes. */
  readonly restoreMs: number;
  /** The last commit that was replayed; null if there was none. */
  readonly lastCommitAt: Date | null;
  /** Set if recovery ended before the end of the archive. */
  readonly gap: string | undefined;
};

/**
 * Restores an encrypted base backup and the archived WAL after it into a temporary cluster, which only this user can
 * reach and which archives nothing, and passes it to `work`. The cluster is deleted afterwards, even when this process
 * is interrupted; backup and archive are only read.
 *
 * @param parent folder of the cluster; needs as much space as the database
 */
export async function restoreBackup<T>(
  backup: EncryptedBackup,
  work: (restored: Restored) => Promise<T>,
  parent = tmpdir(),
): Promise<T> {
  const programs = requirePostgresPrograms();
  const folder = makeClusterFolder(parent);
  let server: ChildProcess | undefined;
  // An interruption must leave nothing decrypted behind.
  const clear = () => {
    server?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    process.exit(1);
  };
  for (const signal of SIGNALS) process.on(signal, clear);
  try {
    const data = unpack(backup, folder);
    const newest = findNewestLog(backup.archive);
    const startedAt = performance.now();
    server = startRestored(programs, folder, data, backup);
    const url = `postgresql://${backup.user}@/${backup.database}?host=${folder}&port=5432`;
    const database = connectPostgres(url, { max: 3 });
    try {
      while (!(await isWritable(database.db))) {
        if (server.exitCode !== null)
          throw new BadConfig(`PostgreSQL cannot restore it: ${findReason(readFileSync(join(folder, 'log'), 'utf8'))}`);
        await sleep(50);
      }
      const restoreMs = performance.now() - startedAt;
      const { file, lastCommitAt } = await findEnd(database.db);
      const isWhole = backup.until !== undefined || newest === undefined || file.slice(8) >= newest.slice(8);
      const gap = isWhole
        ? undefined
        : `${newest} was not reached: the archive lacks a file before it, or one is damaged`;
      return await work({ url, db: database.db, restoreMs, lastCommitAt, gap });
    } finally {
      await database.close();
      const gone = once(server, 'exit');
      if (server.exitCode === null && server.kill('SIGINT')) await gone;
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, clear);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Names begin with the timeline. */
const findNewestLog = (archive: string): string | undefined =>
  readdirSync(archive)
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .sort()
    .at(-1);

const findEnd = (db: Db) =>
  getRow(db)<{ file: string; lastCommitAt: Date | null }>`
    select pg_walfile_name(pg_last_wal_replay_lsn()) as file, pg_last_xact_replay_timestamp() as "lastCommitAt"`;

/** The error with which PostgreSQL ended, from a log that also holds its replies to connection attempts. */
const findReason = (log: string): string =>
  log
    .split('\n')
    .flatMap((line) => line.split('FATAL:  ')[1] ?? [])
    .findLast((reason) => !reason.startsWith('the database system is')) ?? log;

/** Decrypts as the user who can read the private key, and unpacks as the one that PostgreSQL runs as. */
function unpack({ file, identity }: EncryptedBackup, folder: string): string {
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const script = 'set -o pipefail; age -d -i "$1" "$2" | tar -xz --no-same-owner -C "$3"';
  const { status, stderr } = spawnSync('bash', ['-c', script, 'unpack', identity, file, data], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new BadConfig(`The backup cannot be read: ${stderr.split('\n')[0]}`);
  // The old cluster's settings, above all its archiving, must not apply to the rehearsal.
  rmSync(join(data, 'postgresql.auto.conf'), { force: true });
  writeFileSync(join(data, 'recovery.signal'), '');
  writeFileSync(join(folder, 'postgresql.conf'), '');
  writeFileSync(join(folder, 'pg_ident.conf'), '');
  writeFileSync(join(folder, 'pg_hba.conf'), 'local all all trust\n');
  const { uid, gid } = clusterOwner();
  if (uid !== undefined && gid !== undefined) {
    execFileSync('chown', ['-R', `${uid}:${gid}`, data]);
    for (const name of ['postgresql.conf', 'pg_ident.conf', 'pg_hba.conf']) chownSync(join(folder, name), uid, gid);
  }
  return data;
}

function startRestored(programs: string, folder: string, data: string, { archive, until }: EncryptedBackup) {
  const settings = [
    `config_file=${join(folder, 'postgresql.conf')}`,
    `hba_file=${join(folder, 'pg_hba.conf')}`,
    `ident_file=${join(folder, 'pg_ident.conf')}`,
    'listen_addresses=',
    'port=5432',
    `unix_socket_directories=${folder}`,
    'hot_standby=off',
    `restore_command=cp "${archive}/%f" "%p"`,
    // Time zone names, including Z, are not yet known when this is parsed.
    ...(until === undefined ? [] : [`recovery_target_time=${until.toISOString().replace('Z', '+00')}`]),
    'recovery_target_action=promote',
  ];
  const log = openSync(join(folder, 'log'), 'w');
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' };
  return spawn(join(programs, 'postgres'), args, { ...clusterOwner(), env, cwd: folder, stdio: ['ignore', log, log] });
}

/**
 * False while the server refuses connections, until it is promoted.
 * @throws on what waiting does not change: a user or database that the backup does not have
 */
async function isWritable(db: Db): Promise<boolean> {
  try {
    return (await findValue(db)<boolean>`select not pg_is_in_recovery()`) === true;
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    if (!/^(28|3D)/.test(code)) return false;
    throw new BadConfig(`${message}: name those of the backup with --user and --database`);
  }
}
