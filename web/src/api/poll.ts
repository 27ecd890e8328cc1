import type { QueryClient } from '@tanstack/react-query';

/** A server that refuses is asked less often, so that its refusal is not shown and read aloud every two seconds. */
const AFTER_ERROR_MS = 15_000;

/** What the server tells by itself is asked for this seldom all the same. */
const WHILE_LIVE_MS = 60_000;

type Polled = { state: { status: string; fetchFailureCount: number } };

/** `refetchInterval: pollEvery(2_000)`: asked again every so often, and rarely while it fails. */
export const pollEvery =
  (intervalMs: number) =>
  ({ state }: Polled): number =>
    state.status === 'error' || state.fetchFailureCount > 0 ? Math.max(intervalMs, AFTER_ERROR_MS) : intervalMs;

/** As `pollEvery`, for what an event tells of: while the live connection stands, once a minute is enough. */
export const pollUnlessLive =
  (intervalMs: number) =>
  (query: Polled): number =>
    isLive() ? Math.max(intervalMs, WHILE_LIVE_MS) : pollEvery(intervalMs)(query);

let isReady = false;

/** Whether the server tells by itself what happens. */
export const isLive = (): boolean => isReady;

/** How often each list on screen is asked for depends on it, and starts anew from here. */
export function setLive(next: boolean, client: QueryClient): void {
  if (isReady === next) return;
  isReady = next;
  for (const { observers } of client.getQueryCache().findAll({ type: 'active' })) {
    // By itself an observer looks at its interval again only with its next answer.
    for (const observer of observers) observer.setOptions(observer.options);
  }
}
