import { randomBytes } from 'node:crypto';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, hasRow, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';

/** Keys that are rotated: each row that depends on one names its version. */
type RotatedKey = 'otp' | 'solvency';

/**
 * `demo` derives the passwords of the demo world, which every start prints again, so it is never rotated. Live mode has
 * no demo world.
 */
type KeyName = RotatedKey | 'demo';

type ServerKey = { readonly version: number; readonly value: Buffer };

/** By version, so that data made with an older one is still readable. */
export type ServerKeys = ReadonlyMap<number, Buffer>;

/**
 * The newest version of a key that this installation generated at first use and stores in its database. All processes
 * share it without configuration and none caches it, so a new version is used with the next request.
 *
 * One-time passwords are hashed with a key because there are only a million of them: a plain hash, salted or not, is
 * reversed in a second by trying all. A leaked table of codes, log or query result is useless without the key. A leak
 * of the whole database includes the key, but its codes are valid for ten minutes only.
 */
export async function getServerKey(tx: Tx, name: KeyName, now: Date): Promise<ServerKey> {
  const found = await findNewest(tx, name);
  if (found !== undefined) return found;
  await insertServerKey(tx, { name, version: 1, now });
  const made = await findNewest(tx, name);
  if (made === undefined) throw new Error(`server key ${name} vanished`);
  return made;
}

export async function listServerKeys(db: Db, name: RotatedKey): Promise<ServerKeys> {
  const rows = await listRows(db)<ServerKey>`
    select version, value from identity.server_key where name = ${name}`;
  return new Map(rows.map(({ version, value }) => [version, value]));
}

const findNewest = (tx: Tx, name: KeyName) =>
  findRow(tx)<ServerKey>`
    select version, value from identity.server_key where name = ${name} order by version desc limit 1`;

/** False if another process created the same version concurrently: that one is used. */
const insertServerKey = (
  tx: Tx,
  key: { readonly name: KeyName; readonly version: number; readonly now: Date },
): Promise<boolean> =>
  hasRow(tx)`
    insert into identity.server_key (name, version, value, created_at)
    values (${key.name}, ${key.version}, ${randomBytes(32)}, ${key.now})
    on conflict (name, version) do nothing returning 1`;

/** Rows that depend on a key, counted by version. */
export type KeyUse = {
  readonly name: RotatedKey;
  readonly countRows: (db: Db) => Promise<ReadonlyMap<number, number>>;
};

export type KeyVersion = {
  readonly name: RotatedKey;
  readonly version: number;
  readonly createdAt: Date;
  readonly isCurrent: boolean;
  /** Rows that still need it. */
  readonly rows: number;
  /** When it may be retired, if no row needs it; null for the current one. */
  readonly retirableAt: Date | null;
};

/** By then, work that started with the replaced version has ended and its rows are counted. */
const RETIRABLE_AFTER_MS = 3_600_000;

/**
 * Creates a new version of each key, which every process uses with its next request; older data is read with older
 * versions. Concurrent rotations create one version. Audited.
 */
export async function rotateServerKeys(context: Context, names: readonly RotatedKey[]): Promise<void> {
  const now = context.now();
  await inTransaction(context.db, async (tx) => {
    for (const name of names.toSorted()) {
      const { version: before } = await getServerKey(tx, name, now);
      const version = before + 1;
      if (await insertServerKey(tx, { name, version, now })) await audit(tx, 'key.rotate', { name, version });
    }
  });
}

/**
 * Deletes each version that no row needs and that was replaced at least an hour ago. Backups of the database still have
 * it.
 *
 * @returns the deleted versions
 */
export async function retireServerKeys(context: Context, uses: readonly KeyUse[]): Promise<KeyVersion[]> {
  return inTransaction(context.db, async (tx) => {
    const now = context.now();
    const retired = (await listKeyVersions(tx, uses)).filter(
      ({ rows, retirableAt }) => rows === 0 && retirableAt !== null && retirableAt <= now,
    );
    for (const key of retired) {
      await deleteServerKey(tx, key);
      await audit(tx, 'key.retire', key);
    }
    return retired;
  });
}

/** All versions, the newest of each key first. */
export async function listKeyVersions(db: Db, uses: readonly KeyUse[]): Promise<KeyVersion[]> {
  const listed: KeyVersion[] = [];
  for (const { name, countRows } of uses) {
    const rows = await countRows(db);
    let replacedAt: Date | null = null;
    for (const { version, createdAt } of await listVersionRows(db, name)) {
      const retirableAt: Date | null = replacedAt && new Date(replacedAt.getTime() + RETIRABLE_AFTER_MS);
      listed.push({
        name,
        version,
        createdAt,
        isCurrent: replacedAt === null,
        rows: rows.get(version) ?? 0,
        retirableAt,
      });
      replacedAt = createdAt;
    }
  }
  return listed;
}

const audit = (tx: Tx, action: 'key.rotate' | 'key.retire', { name, version }: { name: string; version: number }) =>
  writeAudit(tx, { actor: { kind: 'system', id: null }, action, subject: `key:${name}`, after: { version } });

const listVersionRows = (db: Db, name: string) =>
  listRows(db)<{ version: number; createdAt: Date }>`
    select version, created_at as "createdAt" from identity.server_key where name = ${name} order by version desc`;

const deleteServerKey = (tx: Tx, { name, version }: { name: string; version: number }) =>
  execute(tx)`delete from identity.server_key where name = ${name} and version = ${version}`;
