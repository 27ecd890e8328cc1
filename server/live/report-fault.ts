import type { Context } from '#server/context.ts';
import { noteOutage } from '#server/db/outage.ts';

/** For looks that nobody waits for: the next one, a second later, finds what this one did not. */
export function reportFault(context: Context, error: unknown): void {
  if (!noteOutage(context, error)) context.log.error({ err: error }, 'live: look failed');
}
