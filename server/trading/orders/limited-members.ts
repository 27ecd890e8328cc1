import { listLossLimits, listPausedMembers } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { listOverLimit } from './limit-sql.ts';

/**
 * Members whom their own limits forbid to trade now (docs/product.md, section 8): those on a pause, and those whose
 * realised result of the session's market day is at or under the loss they allowed themselves.
 */
export async function listLimitedMembers(context: Context, day: string): Promise<bigint[]> {
  const now = context.now();
  const [paused, limits] = await Promise.all([listPausedMembers(context.db, now), listLossLimits(context.db, now)]);
  return [...paused, ...(limits.length === 0 ? [] : await listOverLimit(context.db, day, limits))];
}
