import { type QueryKey, queryOptions, type UndefinedInitialDataOptions } from '@tanstack/react-query';
import type { DataOf, Endpoint } from '#contract/endpoint.ts';
import { type CallInput, call } from './call.ts';
import { pollEvery } from './poll.ts';

type Asked<E extends Endpoint> = Omit<CallInput<E>, 'signal' | 'token' | 'idempotencyKey'>;
type Kept<E extends Endpoint> = Omit<UndefinedInitialDataOptions<DataOf<E>>, 'queryKey' | 'queryFn'> & {
  /** How often it is asked again. */
  pollMs?: number;
};
type Arguments<E extends Endpoint> =
  Record<never, never> extends Asked<E> ? [options?: Asked<E> & Kept<E>] : [options: Asked<E> & Kept<E>];

/**
 * One call as a query: where its answer lies, the call with what it takes, and how the answer is kept up to date.
 * `queryOf(['plans', 'one', id], plans.getPlan, { params: { id }, pollMs: 2_000 })`
 */
export function queryOf<E extends Endpoint>(queryKey: QueryKey, row: E, ...[options]: Arguments<E>) {
  const { params, query, body, pollMs, ...kept } = (options ?? {}) as Asked<Endpoint> & Kept<E>;
  return queryOptions<DataOf<E>>({
    refetchInterval: pollMs !== undefined && pollEvery(pollMs),
    ...kept,
    queryKey,
    queryFn: ({ signal }) => call(row as Endpoint, { params, query, body, signal }) as Promise<DataOf<E>>,
  });
}
