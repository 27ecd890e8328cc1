import type { Moment } from './position.ts';

/** Events are kept a minute longer than somebody may go on after. */
export const keptSeconds = 600;
const RESUMED_MS = (keptSeconds - 60) * 1000;

/** Whether everything that happened between two moments is still known: a restart of the server empties it, and it grows old. */
export function canGoOn(from: Omit<Moment, 'seen'>, to: Moment): boolean {
  const ageMs = to.readAt.getTime() - from.readAt.getTime();
  return from.startedAt.getTime() === to.startedAt.getTime() && ageMs >= 0 && ageMs <= RESUMED_MS;
}
