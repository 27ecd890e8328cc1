import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Context } from '#server/context.ts';
import { findStoredSecret, insertSecret } from './invoice-sql.ts';

/** What signs the sandbox's events: `SANDBOX_SECRET`, or a random one that all processes share through the database. */
export async function getSandboxSecret(context: Context): Promise<string> {
  const known = context.config.sandboxSecret ?? (await findStoredSecret(context.db));
  if (known !== undefined) return known;
  await insertSecret(context.db, randomBytes(32).toString('base64url'));
  const stored = await findStoredSecret(context.db);
  assert(stored !== undefined, 'the secret was just stored');
  return stored;
}
