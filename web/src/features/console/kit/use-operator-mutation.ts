import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

/**
 * A call that changes something. Whether it succeeds or not, the named queries are reloaded: `'deposits'` is
 * everything below `['operator', 'deposits']`.
 */
export function useOperatorMutation<Input, Result>(
  send: (input: Input) => Promise<Result>,
  refreshes: readonly (string | QueryKey)[],
  onSuccess?: (result: Result) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    ...(onSuccess && { onSuccess }),
    // Submitted codes and passwords are not kept in memory.
    gcTime: 0,
    onSettled: () => {
      for (const key of refreshes) {
        void client.invalidateQueries({ queryKey: typeof key === 'string' ? ['operator', key] : key });
      }
    },
  });
}
