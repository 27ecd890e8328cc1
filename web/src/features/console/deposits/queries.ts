import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { DepositState } from '#contract/funds/deposits.ts';
import type { DeskDeposit } from '#contract/funds/review.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';
import type { Verdict } from '../kit/use-decisions.tsx';
import { overviewQuery } from '../shell/queries.ts';
import type { Decision } from './deposit-detail.tsx';

const ONE_POLL_MS = 5_000;

export const readDeposits = (state: DepositState) => (query: PageQuery, signal: AbortSignal) =>
  call(endpoints.payoutDesk.listDeskDeposits, { query: { ...query, state }, signal });

/** The one that is open: a colleague may decide about it at any moment. */
export const depositQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'deposits', 'one', id],
    queryFn: ({ signal }) => call(endpoints.payoutDesk.getDeskDeposit, { params: { id }, signal }),
    refetchInterval: pollEvery(ONE_POLL_MS),
  });

/** Each decision names the version that the operator saw. */
function send(id: string, { decision, version, values }: Verdict<Decision>): Promise<DeskDeposit> {
  const { reason, transaction, otp } = values;
  const params = { id };
  const desk = endpoints.payoutDesk;
  switch (decision) {
    case 'credit':
      return call(desk.creditDeposit, { params, body: { version, reason, otp } });
    case 'refund':
      return call(desk.refundDeposit, { params, body: { version, reason, transaction, otp } });
    case 'reject':
      return call(desk.rejectDeposit, { params, body: { version, reason } });
  }
}

/** Whatever comes of it, lists and figures may have moved on. */
export function useDecide(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (verdict: Verdict<Decision>) => send(id, verdict),
    onSuccess: (deposit) => client.setQueryData(depositQuery(id).queryKey, deposit),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['operator', 'deposits'] });
      void client.invalidateQueries({ queryKey: overviewQuery.queryKey });
    },
  });
}

/** What is odd about a deposit in review, as far as its figures say; the first that fits. */
export function flagOf({ state, member, held, amount, expires_at, updated_at }: DeskDeposit): string | undefined {
  if (state !== 'review') return undefined;
  if (member.frozen) return 'account frozen';
  if (held === 0) return 'nothing held';
  if (held < amount) return 'paid too little';
  if (held > amount) return 'paid too much';
  if (Date.parse(updated_at) > Date.parse(expires_at)) return 'paid late';
  return undefined;
}
