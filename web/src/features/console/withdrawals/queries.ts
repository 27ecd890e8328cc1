import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { DeskWithdrawal, payoutDesk } from '#contract/funds/review.ts';
import type { WithdrawalState } from '#contract/funds/withdrawals.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';
import type { Verdict } from '../kit/use-decisions.tsx';
import { overviewQuery } from '../shell/queries.ts';
import type { Decision } from './decisions.ts';

const SWITCH_POLL_MS = 15_000;
const ONE_POLL_MS = 5_000;

export const readWithdrawals = (state: WithdrawalState) => (query: PageQuery, signal: AbortSignal) =>
  call(endpoints.payoutDesk.listDeskWithdrawals, { query: { ...query, state }, signal });

/** The one that is open: a colleague may decide about it at any moment. */
export const withdrawalQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'withdrawals', 'one', id],
    queryFn: ({ signal }) => call(endpoints.payoutDesk.getDeskWithdrawal, { params: { id }, signal }),
    refetchInterval: pollEvery(ONE_POLL_MS),
  });

export const payoutSwitchQuery = queryOptions({
  queryKey: ['operator', 'payout-switch'],
  queryFn: ({ signal }) => call(endpoints.payoutDesk.getPayoutSwitch, { signal }),
  refetchInterval: pollEvery(SWITCH_POLL_MS),
});

/** Each decision names the version that the operator saw. */
function send(id: string, { decision, version, values }: Verdict<Decision>): Promise<DeskWithdrawal> {
  const { reason, transaction, otp } = values;
  const params = { id };
  const desk = endpoints.payoutDesk;
  switch (decision) {
    case 'approve':
      return call(desk.approveWithdrawal, { params, body: { version, otp } });
    case 'reject':
      return call(desk.rejectWithdrawal, { params, body: { version, reason } });
    case 'take':
      return call(desk.takeWithdrawal, { params, body: { version, otp } });
    case 'return':
      return call(desk.returnWithdrawal, { params, body: { version } });
    case 'sent':
      return call(desk.sendWithdrawal, { params, body: { version, transaction } });
    case 'complete':
      return call(desk.completeWithdrawal, { params, body: { version, otp } });
    case 'fail':
      return call(desk.failWithdrawal, { params, body: { version, reason, otp } });
    case 'resolve_sent':
      return call(desk.resolveWithdrawal, { params, body: { outcome: 'sent', version, transaction, otp } });
    case 'resolve_completed':
      return call(desk.resolveWithdrawal, { params, body: { outcome: 'completed', version, transaction, otp } });
    case 'resolve_failed':
      return call(desk.resolveWithdrawal, { params, body: { outcome: 'failed', version, reason, otp } });
  }
}

/** Whatever comes of it, lists and figures may have moved on. */
export function useDecide(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (verdict: Verdict<Decision>) => send(id, verdict),
    onSuccess: (withdrawal) => client.setQueryData(withdrawalQuery(id).queryKey, withdrawal),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['operator', 'withdrawals'] });
      void client.invalidateQueries({ queryKey: overviewQuery.queryKey });
    },
  });
}

export function useTurnSwitch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInOf<typeof payoutDesk.setPayoutSwitch>) =>
      call(endpoints.payoutDesk.setPayoutSwitch, { body }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: payoutSwitchQuery.queryKey });
      void client.invalidateQueries({ queryKey: overviewQuery.queryKey });
    },
  });
}
