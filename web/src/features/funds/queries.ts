import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import { funds, trading } from '#contract/endpoints.ts';
import type { Deposit, DepositState } from '#contract/funds/deposits.ts';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { call, callForFile } from '../../api/call.ts';
import { queryOf } from '../../api/query-of.ts';
import { useOnce } from '../../api/use-once.ts';
import { isOpen, pollAfterMs } from './deposits/deposit-labels.ts';

export type OwnWeek = DataOf<typeof funds.listDeposits>['own_week'];

/** An open invoice may change at any moment, and the member is likely to be watching. */
const LIST_POLL_MS = 5_000;

export const depositsQuery = (filter: { state?: DepositState | undefined; cursor?: string | undefined } = {}) =>
  queryOf(['funds', 'deposits', filter], funds.listDeposits, {
    query: filter,
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      query.state.data?.items.some((deposit) => isOpen(deposit.state)) ? LIST_POLL_MS : false,
  });

/** All deposits in this state, or in any, as the file written by the server. */
export const downloadDeposits = (state: DepositState | undefined, signal: AbortSignal): Promise<Blob> =>
  callForFile(funds.listDeposits, { query: { state, format: 'csv' }, signal });

/** One deposit, polled until it is final. */
export const depositQuery = (id: string) =>
  queryOf(['funds', 'deposit', id], funds.getDeposit, {
    params: { id },
    refetchInterval: (query) => (query.state.data ? pollAfterMs(query.state.data.state) : false),
  });

/** The newest deposit, or null when there is none. */
export const latestDepositQuery = queryOptions({
  queryKey: ['funds', 'deposits', 'latest'],
  queryFn: async ({ signal }): Promise<Deposit | null> => {
    const { items } = await call(funds.listDeposits, { query: { limit: '1' }, signal });
    return items[0] ?? null;
  },
  refetchInterval: (query) => (query.state.data ? pollAfterMs(query.state.data.state) : false),
});

export type Wallets = DataOf<typeof funds.getWallet>;

export const walletQuery = queryOf(['funds', 'wallet'], funds.getWallet);

export const walletSummaryQuery = queryOf(['funds', 'wallet-summary'], trading.getWalletSummary, {
  pollMs: 5_000,
});

/** Starts a deposit; pressing twice sends one idempotent request and makes one invoice. */
export function useStartDeposit() {
  const client = useQueryClient();
  return useOnce({
    mutationFn: (body: { amount: number; pay_with?: PayoutNetwork; risk_accepted?: true }) =>
      call(funds.createDeposit, { body }),
    onSuccess: (deposit) => {
      client.setQueryData(depositQuery(deposit.id).queryKey, deposit);
      return client.invalidateQueries({ queryKey: ['funds', 'deposits'] });
    },
  });
}
