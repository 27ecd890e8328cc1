import type { Context } from '#server/context.ts';
import { isDatabaseGone } from '#server/db/faults.ts';

/** For looks that nobody waits for: the next one, a second later, finds what this one did not. */
export function reportFault({ log }: Context, error: unknown): void {
  if (isDatabaseGone(error)) log.warn('live: database not reachable');
  else log.error({ err: error }, 'live: look failed');
}
