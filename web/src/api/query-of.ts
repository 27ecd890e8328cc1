import { type QueryClient, type QueryKey, queryOptions, type UndefinedInitialDataOptions } from '@tanstack/react-query';
import type { DataOf, Endpoint } from '#contract/endpoint.ts';
import { type CallInput, call } from './call.ts';

type Input<E extends Endpoint> = Omit<CallInput<E>, 'signal' | 'token'>;
type Options<E extends Endpoint> = Omit<UndefinedInitialDataOptions<DataOf<E>>, 'queryKey' | 'queryFn'> & {
  /** Polling interval. */
  pollMs?: number;
};
type Arguments<E extends Endpoint> =
  Record<never, never> extends Input<E> ? [options?: Input<E> & Options<E>] : [options: Input<E> & Options<E>];

/**
 * One call as a query: its key, the call with its input, and how the answer is kept fresh.
 * `queryOf(['plans', 'one', id], plans.getPlan, { params: { id }, pollMs: 2_000 })`
 */
export function queryOf<E extends Endpoint>(queryKey: QueryKey, row: E, ...[options]: Arguments<E>) {
  const { params, query, body, pollMs, ...kept } = (options ?? {}) as Input<Endpoint> & Options<E>;
  return queryOptions<DataOf<E>>({
    refetchInterval: pollMs !== undefined && pollEvery(pollMs),
    ...kept,
    queryKey,
    queryFn: ({ signal }) => call(row as Endpoint, { params, query, body, signal }) as Promise<DataOf<E>>,
  });
}

/** Polls a refusing server less often, so that its refusal is not shown and read aloud every two seconds. */
const AFTER_ERROR_MS = 15_000;

/** The polling interval of what the server also pushes. */
const LIVE_POLL_MS = 60_000;

type Polled = { state: { status: string; fetchFailureCount: number } };

/** `refetchInterval: pollEvery(2_000)`: polls at this interval, and rarely while it fails. */
export const pollEvery =
  (intervalMs: number) =>
  ({ state }: Polled): number =>
    state.status === 'error' || state.fetchFailureCount > 0 ? Math.max(intervalMs, AFTER_ERROR_MS) : intervalMs;

/** As `pollEvery`, for what the server pushes: while the live connection is up, once a minute is enough. */
export const pollUnlessLive =
  (intervalMs: number) =>
  (query: Polled): number =>
    isLive() ? Math.max(intervalMs, LIVE_POLL_MS) : pollEvery(intervalMs)(query);

let isReady = false;

/** Whether the live connection is up. */
export const isLive = (): boolean => isReady;

/** Polling of every mounted query depends on it, and restarts here. */
export function setLive(next: boolean, client: QueryClient): void {
  if (isReady === next) return;
  isReady = next;
  for (const { observers } of client.getQueryCache().findAll({ type: 'active' })) {
    // An observer recomputes its interval only with its next response.
    for (const observer of observers) observer.setOptions(observer.options);
  }
}
