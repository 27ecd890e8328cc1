import { randomBytes } from 'node:crypto';
import type { Tx } from '#server/db/connect.ts';
import { findServerKey, insertServerKey } from './server-key-sql.ts';

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
