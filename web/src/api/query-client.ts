import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { CallError } from './call.ts';

/** The caller of a failed call only logs it (the specification, point 8): the member was told by a toast. */
const log = (error: Error) => console.error(error);

/**
 * `networkMode`: whether there is a connection is found out by calling. Otherwise what is pressed without one would wait, with no
 * word to the member, and be sent whenever it is back: a trade at another price, minutes later.
 */
export const createQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({ onError: log }),
    mutationCache: new MutationCache({ onError: log }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // An answer is an answer, and was shown: only silence is worth another try.
        retry: (count, error) => count < 2 && error instanceof CallError && error.status === 0,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
