import type { Context } from '#server/context.ts';
import { listSessionEnds as listRows } from './auth-session-sql.ts';

/**
 * Which of these sign-ins still count, and until when if they are not used meanwhile. Asking is no use: a page that only
 * listens does not keep anybody signed in.
 */
export async function listSessionEnds(
  { db, now }: Context,
  authSessionIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, Date>> {
  if (authSessionIds.length === 0) return new Map();
  const rows = await listRows(db, authSessionIds, now());
  return new Map(rows.map(({ id, expiresAt }) => [id, expiresAt]));
}
