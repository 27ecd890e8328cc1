import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { trading } from '#contract/endpoints.ts';
import { queryOf } from './query-of.ts';

const SLOW_MS = 10_000;

/** The tradable assets, with the 24-hour change. */
export const tradableQuery = queryOf(['trading', 'tradable'], trading.listTradable, {
  pollMs: SLOW_MS,
});

/** The size limits of every asset. Public. */
export const limitsQuery = queryOf(['market', 'limits'], trading.listLimits, {
  pollMs: SLOW_MS,
});

export const balancesQuery = queryOf(['trading', 'balances'], trading.getWalletBalance);

/** After anything that moves money, all data of the member is reloaded: balances, lists, portfolio, statement. */
export function useRefreshOwn() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'market' });
}

/**
 * A mutation of the member's own data. The data is reloaded after a refusal as well: something has changed, and the
 * page must show it.
 */
export function useOwnChange<Input, Data>(mutationFn: (input: Input) => Promise<Data>) {
  const refresh = useRefreshOwn();
  return useMutation({ mutationFn, onSettled: () => void refresh() });
}

/** When a watched payment changes state, balances, lists and notifications on screen are stale. */
export function useRefreshOnChange(payment: { id: string; state: string } | undefined): void {
  const refreshOwn = useRefreshOwn();
  const before = useRef<typeof payment>(undefined);
  useEffect(() => {
    const was = before.current;
    before.current = payment;
    if (was !== undefined && was.id === payment?.id && was.state !== payment.state) void refreshOwn();
  }, [refreshOwn, payment]);
}
