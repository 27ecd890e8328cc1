import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { OperatorWithdrawal } from '#contract/funds/review.ts';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';
import type { Decision } from '../kit/decisions.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';
import type { Action } from './decisions.ts';

const ONE_POLL_MS = 5_000;
const NETWORK_FEE_POLL_MS = 60_000;
const calls = endpoints.operatorPayouts;

/** The one that is open: another operator may decide about it at any moment. */
export const withdrawalQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'withdrawals', 'one', id],
    queryFn: ({ signal }) => call(calls.getOperatorWithdrawal, { params: { id }, signal }),
    refetchInterval: pollEvery(ONE_POLL_MS),
  });

export const networkFeeQuery = (network: PayoutNetwork) =>
  queryOptions({
    queryKey: ['operator', 'network-fee', network],
    queryFn: ({ signal }) => call(calls.getPayoutNetworkFee, { query: { network }, signal }),
    refetchInterval: pollEvery(NETWORK_FEE_POLL_MS),
  });

function send(id: string, { action, version, values }: Decision<Action>): Promise<OperatorWithdrawal> {
  const { reason, transaction, otp } = values;
  const params = { id };
  switch (action) {
    case 'approve':
      return call(calls.approveWithdrawal, { params, body: { version, otp } });
    case 'reject':
      return call(calls.rejectWithdrawal, { params, body: { version, reason } });
    case 'claim':
      return call(calls.takeWithdrawal, { params, body: { version, otp } });
    case 'release':
      return call(calls.returnWithdrawal, { params, body: { version } });
    case 'sent':
      return call(calls.sendWithdrawal, { params, body: { version, transaction } });
    case 'complete':
      return call(calls.completeWithdrawal, { params, body: { version, otp } });
    case 'fail':
      return call(calls.failWithdrawal, { params, body: { version, reason, otp } });
    case 'resolve_sent':
      return call(calls.resolveWithdrawal, { params, body: { outcome: 'sent', version, transaction, otp } });
    case 'resolve_completed':
      return call(calls.resolveWithdrawal, { params, body: { outcome: 'completed', version, transaction, otp } });
    case 'resolve_failed':
      return call(calls.resolveWithdrawal, { params, body: { outcome: 'failed', version, reason, otp } });
  }
}

export function useDecide(id: string) {
  const client = useQueryClient();
  return useOperatorMutation(
    (decision: Decision<Action>) => send(id, decision),
    ['withdrawals', 'overview'],
    (withdrawal) => client.setQueryData(withdrawalQuery(id).queryKey, withdrawal),
  );
}
