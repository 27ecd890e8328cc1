import { inject } from 'vitest';
import type { Context } from '#server/context.ts';
import { isKilled, KillAt, killedContext } from './kill-at.ts';

/**
 * Repeats the work, killed at its first query, then at its second, and so on, until it completes; every third query in
 * `npm test`, every query in `npm run test:full`.
 *
 * @returns the number of queries, rounded up to that step
 */
export async function killAtEveryQuery(whole: Context, work: (context: Context) => Promise<unknown>): Promise<number> {
  const step = Math.max(1, Math.round(1 / (inject('propertyScale') ?? 1)));
  let queries = 0;
  while (await isKilled(() => work(killedContext(whole, new KillAt(queries))))) queries += step;
  return queries;
}
