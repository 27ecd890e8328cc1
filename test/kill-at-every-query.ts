import { inject } from 'vitest';
import type { Context } from '#server/context.ts';
import { isKilled, KillAt, killedContext } from './kill-at.ts';

/**
 * Does something whose first attempt dies at its first query, the next at its second, and so on, until one comes to the end;
 * in `npm test` at every third query, in `npm run test:full` at each.
 *
 * @returns how many queries the last one had that was killed
 */
export async function killAtEveryQuery(whole: Context, work: (context: Context) => Promise<unknown>): Promise<number> {
  const step = Math.max(1, Math.round(1 / (inject('propertyScale') ?? 1)));
  let queries = 0;
  while (await isKilled(() => work(killedContext(whole, new KillAt(queries))))) queries += step;
  return queries;
}
