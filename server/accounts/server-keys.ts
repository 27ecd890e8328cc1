import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, hasRow, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';

/** Keys that are replaced from time to time: each row that depends on one names its version. */
type RotatedKey = 'otp' | 'solvency';

/**
 * The third one makes the passwords of the demo world, which every start prints again: it has one version for ever, and live
 * mode has no demo world.
 */
type KeyName = RotatedKey | 'demo';

type ServerKey = { readonly version: number; readonly value: Buffer };

/** By version: what was made with any of them is still read. */
export type ServerKeys = ReadonlyMap<number, Buffer>;

/**
 * The newest version of a key that this installation made for itself, the first at first use, and keeps in its database: all
 * processes share it, none has to be configured, and none keeps it, so a new version is in use with the next request.
 *
 * One-time passwords are hashed with it because there are only a million of them: a plain hash, salted or not, is
 * undone in a second by trying all. Whoever sees only the table of codes, a log or one query's result can do nothing
 * with them. Whoever has the whole database has the key too, but the codes in it live ten minutes.
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
  const { rows } = await sql<{ version: number; value: Uint8Array }>`
    select version, value from identity.server_key where name = ${name}`.execute(db);
  return new Map(rows.map(({ version, value }) => [version, Buffer.from(value)]));
}

async function findNewest(tx: Tx, name: KeyName): Promise<ServerKey | undefined> {
  const { rows } = await sql<{ version: number; value: Uint8Array }>`
    select version, value from identity.server_key where name = ${name} order by version desc limit 1`.execute(tx);
  const [row] = rows;
  return row === undefined ? undefined : { version: row.version, value: Buffer.from(row.value) };
}

/** The first one stays: a second process that makes the same version at the same time uses the first one's, and gets false. */
const insertServerKey = (
  tx: Tx,
  key: { readonly name: KeyName; readonly version: number; readonly now: Date },
): Promise<boolean> =>
  hasRow(tx)`
    insert into identity.server_key (name, version, value, created_at)
    values (${key.name}, ${key.version}, ${randomBytes(32)}, ${key.now})
    on conflict (name, version) do nothing returning 1`;

/** What depends on a key: how many rows name each of its versions and still need it. */
export type KeyUse = {
  readonly name: RotatedKey;
  readonly countRows: (db: Db) => Promise<ReadonlyMap<number, number>>;
};

export type KeyVersion = {
  readonly name: RotatedKey;
  readonly version: number;
  readonly createdAt: Date;
  readonly isCurrent: boolean;
  /** How many rows need it. */
  readonly rows: number;
  /** From when on it may be retired, once no row needs it; null for the current one. */
  readonly retirableAt: Date | null;
};

/** Work that was begun with a version before it was replaced has ended by then, and its rows are there to be counted. */
const RETIRABLE_AFTER_MS = 3_600_000;

/**
 * Makes a new version of each key. It is used from the next request on, in every process; what was made with older ones is
 * read with them. Two at once make one version. Written to the audit log.
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
 * Deletes each version that no row needs and that was replaced an hour ago or longer. A database's backups still have it.
 *
 * @returns what was deleted
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
