import type { Context } from '#server/context.ts';
import { deleteExpired } from './expiry-sql.ts';

/** Job: removes sign-ins, codes, tokens and counters that are over. They are refused by their time, not by this. */
export async function forgetExpired(context: Context): Promise<void> {
  await deleteExpired(context.db, context.now());
}
