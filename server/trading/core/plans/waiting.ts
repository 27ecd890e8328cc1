import type { Instant } from '../session-events.ts';

/**
 * How many of the first instants fill nothing: none of their ticks is of an asset for which a trade waits since before.
 *
 * Ticks of btc and eth at 12:45:00 and of btc at 12:45:15, one trade waiting for eth since 12:45:10: both are quiet.
 */
export function quietInstants(
  instants: readonly Instant[],
  waiting: readonly { readonly symbol: string; readonly since: Date }[],
): number {
  if (waiting.length === 0) return instants.length;
  const sinceOf = new Map(waiting.map(({ symbol, since }) => [symbol, since]));
  const busy = instants.findIndex(({ at, ticks }) =>
    ticks.some(({ symbol }) => (sinceOf.get(symbol)?.getTime() ?? Number.POSITIVE_INFINITY) < at.getTime()),
  );
  return busy === -1 ? instants.length : busy;
}
