import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from './call.ts';
import { endpoints } from './endpoints.ts';
import { pollEvery } from './poll.ts';

const SLOW_MS = 10_000;

/** What can be traded now, with the change of the last 24 hours. */
export const tradableQuery = queryOptions({
  queryKey: ['trading', 'tradable'],
  queryFn: ({ signal }) => call(endpoints.trading.listTradable, { signal }),
  refetchInterval: pollEvery(SLOW_MS),
});

/** The fee plan in force and the one that waits for the next opening. Everybody may read it. */
export const feesQuery = queryOptions({
  queryKey: ['market', 'fees'],
  queryFn: ({ signal }) => call(endpoints.feePlans.getFees, { signal }),
  refetchInterval: pollEvery(SLOW_MS),
});

/** The spread of every asset, in force and from the next opening on. Everybody may read it. */
export const spreadsQuery = queryOptions({
  queryKey: ['market', 'spreads'],
  queryFn: ({ signal }) => call(endpoints.market.listSpreads, { signal }),
  refetchInterval: pollEvery(SLOW_MS),
});

/** The limits of size of every asset. Everybody may read them. */
export const limitsQuery = queryOptions({
  queryKey: ['market', 'limits'],
  queryFn: ({ signal }) => call(endpoints.trading.listLimits, { signal }),
  refetchInterval: pollEvery(SLOW_MS),
});

export const balancesQuery = queryOptions({
  queryKey: ['trading', 'balances'],
  queryFn: ({ signal }) => call(endpoints.trading.getWalletBalance, { signal }),
});

/** After anything that moves money all that is the member's own is read again: balances, lists, portfolio, statement. */
export function useRefreshOwn() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'market' });
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
