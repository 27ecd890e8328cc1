import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { hasRow } from '#server/db/rows.ts';

/** Keys that are replaced from time to time: each row that depends on one names its version. */
export type RotatedKey = 'otp' | 'solvency';

/**
 * The third one makes the passwords of the demo world, which every start prints again: it has one version for ever, and live
 * mode has no demo world.
 */
export type KeyName = RotatedKey | 'demo';

export type ServerKey = { readonly version: number; readonly value: Buffer };

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
export const insertServerKey = (
  tx: Tx,
  key: { readonly name: KeyName; readonly version: number; readonly now: Date },
): Promise<boolean> =>
  hasRow(tx)`
    insert into identity.server_key (name, version, value, created_at)
    values (${key.name}, ${key.version}, ${randomBytes(32)}, ${key.now})
    on conflict (name, version) do nothing returning 1`;
