import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { TradeState } from '#contract/trading.ts';
import { call } from '../../shared/call.ts';
import { endpoints } from '../../shared/endpoints.ts';
import { pollEvery } from '../../shared/poll.ts';

const LIVE_MS = 2_000;
const SLOW_MS = 10_000;

/** What can be traded now, with the change of the last 24 hours. */
export const tradableQuery = queryOptions({
  queryKey: ['trading', 'tradable'],
  queryFn: ({ signal }) => call(endpoints.trading.listTradable, { signal }),
  refetchInterval: pollEvery(SLOW_MS),
});

export const balancesQuery = queryOptions({
  queryKey: ['trading', 'balances'],
  queryFn: ({ signal }) => call(endpoints.trading.getWalletBalance, { signal }),
});

export type TradeFilter = { state?: TradeState; symbol?: string; cursor?: string; limit?: string };

/** Own trades, newest first. Those that move by themselves are asked for again and again, older pages are not. */
export const tradesQuery = (filter: TradeFilter) =>
  queryOptions({
    queryKey: ['trading', 'trades', filter],
    queryFn: ({ signal }) => call(endpoints.trading.listTrades, { query: filter, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: filter.cursor === undefined && pollEvery(filter.state === 'settled' ? SLOW_MS : LIVE_MS),
  });

/** After anything that moves money all that is the member's own is read again: balances, lists, portfolio, statement. */
function useRefreshOwn() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'market' });
}

type PlaceInput = { tradeId: string; amount: number; wallet_type: 'primary' | 'profit' };

/** The client keeps the key of a request that got no answer, so the same values sent again cannot trade twice. */
export function usePlaceTrade() {
  const refresh = useRefreshOwn();
  return useMutation({
    mutationFn: (body: PlaceInput) => call(endpoints.trading.placeTrade, { body }),
    onSuccess: () => void refresh(),
  });
}

export function useCancelTrade() {
  const refresh = useRefreshOwn();
  return useMutation({
    mutationFn: (id: string) => call(endpoints.trading.cancelTrade, { params: { id } }),
    // Also after a refusal: the trade opened meanwhile, and the list must say so.
    onSettled: () => void refresh(),
  });
}

export function useCloseTrade() {
  const refresh = useRefreshOwn();
  return useMutation({
    mutationFn: (id: string) => call(endpoints.trading.closeTrade, { params: { id } }),
    onSettled: () => void refresh(),
  });
}
