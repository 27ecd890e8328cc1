import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryInOf } from '#contract/endpoint.ts';
import { withdrawals } from '#contract/endpoints.ts';
import type { PayoutNetwork, WithdrawalState } from '#contract/funds/withdrawals.ts';
import { CallError, call, callForFile } from '../../api/call.ts';
import { pollEvery, queryOf } from '../../api/query-of.ts';
import { sendTo, useSend } from '../../api/send-to.ts';
import { useOwnChange, useRefreshOwn } from '../../api/trading-queries.ts';
import { useOnce } from '../../api/use-once.ts';
import { toast } from '../../ui/frame/toast.ts';
import { isInProgress, pollAfterMs } from './withdrawal-labels.ts';

const TERMS_POLL_MS = 30_000;
const NETWORK_FEE_POLL_MS = 60_000;
/** A request may wait for hours, so the list is polled less often than a single withdrawal being watched. */
const LIST_POLL_MS = 10_000;

/** Limits, fee, address and restriction; a switch by operators takes effect without a reload. */
export const termsQuery = queryOf(['withdrawals', 'terms'], withdrawals.getWithdrawalTerms, {
  pollMs: TERMS_POLL_MS,
});

export const networkFeeQuery = (network: PayoutNetwork) =>
  queryOf(['withdrawals', 'network-fee', network], withdrawals.getNetworkFee, {
    query: { network },
    pollMs: NETWORK_FEE_POLL_MS,
  });

export const withdrawalsQuery = (filter: { state?: WithdrawalState | undefined; cursor?: string | undefined }) =>
  queryOf(['withdrawals', 'list', filter], withdrawals.listWithdrawals, {
    query: filter,
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      query.state.data?.items.some((withdrawal) => isInProgress(withdrawal.state))
        ? pollEvery(LIST_POLL_MS)(query)
        : false,
  });

/** One withdrawal with its status events, polled until it is final. */
export const withdrawalQuery = (id: string) =>
  queryOf(['withdrawals', 'one', id], withdrawals.getWithdrawal, {
    params: { id },
    refetchInterval: (query) => {
      const pause = query.state.data && pollAfterMs(query.state.data.state);
      return pause ? pollEvery(pause)(query) : false;
    },
  });

/** The whole filtered list as the file written by the server. */
export const downloadWithdrawals = (state: WithdrawalState | undefined, signal: AbortSignal): Promise<Blob> =>
  callForFile(withdrawals.listWithdrawals, { query: { state, format: 'csv' }, signal });

/** Emails a code for exactly one operation. */
export const useSendCode = () =>
  useMutation({
    mutationFn: (query: QueryInOf<typeof withdrawals.sendOtp>) => call(withdrawals.sendOtp, { query }),
    // The call does not report a read without a response; here it was a button press.
    onError: (error) => {
      if (error instanceof CallError && error.status === 0) toast.error(error.message);
    },
  });

/** Requests a withdrawal; pressing twice sends one idempotent request and withdraws once. */
export function useRequestWithdrawal() {
  const client = useQueryClient();
  const refreshOwn = useRefreshOwn();
  return useOnce({
    mutationFn: sendTo(withdrawals.requestWithdrawal),
    onSuccess: () => void refreshOwn(),
    onError: (error) => {
      if (error instanceof CallError && error.code === 'withdrawal_fee_changed')
        void client.invalidateQueries({ queryKey: termsQuery.queryKey });
    },
  });
}

/** Whatever the outcome, the withdrawal on screen may have changed. */
export const useCancelWithdrawal = () =>
  useOwnChange((id: string) => call(withdrawals.cancelWithdrawal, { params: { id } }));

export function useSaveAddress() {
  const client = useQueryClient();
  const refreshOwn = useRefreshOwn();
  return useSend(withdrawals.updateAddress, {
    onSuccess: (address) => {
      client.setQueryData(termsQuery.queryKey, (terms) => terms && { ...terms, address });
      void refreshOwn();
    },
  });
}

export const useReportAddressChange = () =>
  useMutation({ mutationFn: (token: string) => call(withdrawals.reportAddressChange, { body: { token } }) });
