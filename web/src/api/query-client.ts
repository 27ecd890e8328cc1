import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { CallError } from './call.ts';

/** Failed calls are only logged here (the specification, point 8): the member was told by a toast. */
const log = (error: Error) => console.error(error);

/**
 * The library counts a first load under way as a reload, although it may bring what was read before the change: here
 * one follows it.
 */
export class AppQueryClient extends QueryClient {
  override async invalidateQueries(...[filters, options]: Parameters<QueryClient['invalidateQueries']>): Promise<void> {
    const loading = this.getQueryCache()
      .findAll(filters)
      .filter(({ state }) => state.fetchStatus === 'fetching' && state.data === undefined);
    await super.invalidateQueries(filters, options);
    await Promise.allSettled(loading.map(({ promise }) => promise));
    const isLoaded = ({ state }: Query) => state.fetchStatus === 'idle' && state.data !== undefined;
    const predicate = (query: Query) => loading.includes(query) && isLoaded(query);
    await super.invalidateQueries({ predicate, refetchType: filters?.refetchType }, options);
  }
}

/** The server may have done what it did not answer: the page then shows what it says now. */
const isDoneOrNot = ({ status }: CallError): boolean => status === 0 || status >= 500;

/**
 * `networkMode`: offline is detected by calling. Otherwise a press without a connection would be queued silently and
 * sent when it returns: a trade at another price, minutes later.
 */
export function createQueryClient() {
  const client = new AppQueryClient({
    queryCache: new QueryCache({ onError: log }),
    mutationCache: new MutationCache({
      onError: (error) => {
        log(error);
        if (error instanceof CallError && isDoneOrNot(error)) void client.invalidateQueries();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Any response is final and was shown: only a missing one is retried.
        retry: (count, error) => count < 2 && error instanceof CallError && error.status === 0,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
