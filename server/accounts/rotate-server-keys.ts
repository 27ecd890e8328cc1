import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getServerKey, insertServerKey, type RotatedKey } from './server-key.ts';

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
