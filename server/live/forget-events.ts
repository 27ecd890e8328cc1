import type { Context } from '#server/context.ts';
import { deleteEventsBefore } from './event-sql.ts';
import { keptSeconds } from './kept-events.ts';

/** Job: removes events that nobody can go on after any more. */
export async function forgetEvents({ db }: Context): Promise<void> {
  await deleteEventsBefore(db, keptSeconds);
}
