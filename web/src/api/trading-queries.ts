import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { trading } from '#contract/endpoints.ts';
import { queryOf } from './query-of.ts';

const SLOW_MS = 10_000;

/** What can be traded now, with the change of the last 24 hours. */
export const tradableQuery = queryOf(['trading', 'tradable'], trading.listTradable, {
  pollMs: SLOW_MS,
});

/** The limits of size of every asset. Everybody may read them. */
export const limitsQuery = queryOf(['market', 'limits'], trading.listLimits, {
  pollMs: SLOW_MS,
});

export const balancesQuery = queryOf(['trading', 'balances'], trading.getWalletBalance);

/** After anything that moves money all that is the member's own is read again: balances, lists, portfolio, statement. */
export function useRefreshOwn() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'market' });
}

/**
 * A change of what is the member's own. It is read again also after a refusal: something happened meanwhile, and the page
 * must say so.
 */
export function useOwnChange<Input, Data>(mutationFn: (input: Input) => Promise<Data>) {
  const refresh = useRefreshOwn();
  return useMutation({ mutationFn, onSettled: () => void refresh() });
}

/** When a payment moves on while it is watched, balances, lists and notifications on screen are out of date. */
export function useRefreshOnChange(payment: { id: string; state: string } | undefined): void {
  const refreshOwn = useRefreshOwn();
  const before = useRef<typeof payment>(undefined);
  useEffect(() => {
    const was = before.current;
    before.current = payment;
    if (was !== undefined && was.id === payment?.id && was.state !== payment.state) void refreshOwn();
  }, [refreshOwn, payment]);
}
