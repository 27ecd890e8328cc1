import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { consoleTreasury, ProposalState, TreasuryMove } from '#contract/operator/proposals.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';
import type { Decision } from '../kit/proposals.ts';
import type { Verdict } from '../kit/use-decisions.tsx';
import { overviewQuery } from '../shell/queries.ts';

const rows = endpoints.consoleTreasury;
const TREASURY_POLL_MS = 15_000;

export const treasuryQuery = queryOptions({
  queryKey: ['operator', 'treasury', 'state'],
  queryFn: ({ signal }) => call(rows.getTreasury, { signal }),
  refetchInterval: pollEvery(TREASURY_POLL_MS),
});

export const readMoves = (state: ProposalState) => (query: PageQuery, signal: AbortSignal) =>
  call(rows.listTreasuryMoves, { query: { ...query, state }, signal });

/** Each decision names the version that the operator saw. */
function send(id: string, { decision, version, values }: Verdict<Decision>): Promise<TreasuryMove> {
  const params = { id };
  switch (decision) {
    case 'approve':
      return call(rows.approveTreasuryMove, { params, body: { version, otp: values.otp } });
    case 'reject':
      return call(rows.rejectTreasuryMove, { params, body: { version, reason: values.reason } });
    case 'withdraw':
      return call(rows.withdrawTreasuryMove, { params, body: { version } });
  }
}

/** Lists and figures may have moved on, whatever comes of it. */
function useRefresh() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ['operator', 'treasury'] });
    void client.invalidateQueries({ queryKey: overviewQuery.queryKey });
  };
}

export const useDecide = (id: string) =>
  useMutation({ mutationFn: (verdict: Verdict<Decision>) => send(id, verdict), onSettled: useRefresh() });

/** The client finds the key of the intention, so that pressing twice records one move. */
export const usePropose = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof consoleTreasury.proposeTreasuryMove>) =>
      call(rows.proposeTreasuryMove, { body }),
    onSettled: useRefresh(),
  });
