import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';

/**
 * A key this installation made for itself at first use and keeps in its database, so that all processes share it and
 * nothing has to be configured.
 *
 * One-time passwords are hashed with it because there are only a million of them: a plain hash, salted or not, is
 * undone in a second by trying all. Whoever sees only the table of codes, a log or one query's result can do nothing
 * with them. Whoever has the whole database has the key too, but the codes in it live ten minutes.
 */
export async function getServerKey(tx: Tx, name: 'otp' | 'solvency' | 'demo', now: Date): Promise<Buffer> {
  const found = await findServerKey(tx, name);
  if (found !== undefined) return found;
  await insertServerKey(tx, { name, value: randomBytes(32), now });
  const made = await findServerKey(tx, name);
  if (made === undefined) throw new Error(`server key ${name} vanished`);
  return made;
}

async function findServerKey(tx: Tx, name: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ value: Uint8Array }>`
    select value from identity.server_key where name = ${name}`.execute(tx);
  return rows[0] === undefined ? undefined : Buffer.from(rows[0].value);
}

/** The first one stays: a second process that makes one at the same time reads the first one's. */
const insertServerKey = (tx: Tx, key: { name: string; value: Buffer; now: Date }) =>
  execute(tx)`
    insert into identity.server_key (name, value, created_at) values (${key.name}, ${key.value}, ${key.now})
    on conflict (name) do nothing`;
