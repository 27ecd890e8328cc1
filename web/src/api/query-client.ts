import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { CallError } from './call.ts';

/** Failed calls are only logged here (the specification, point 8): the member was told by a toast. */
const log = (error: Error) => console.error(error);

/**
 * `networkMode`: offline is detected by calling. Otherwise a press without a connection would be queued silently and
 * sent when it returns: a trade at another price, minutes later.
 */
export const createQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({ onError: log }),
    mutationCache: new MutationCache({ onError: log }),
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
