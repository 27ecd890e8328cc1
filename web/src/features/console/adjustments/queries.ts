import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { Adjustment, consoleAdjustments, ProposalState } from '#contract/operator/proposals.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import type { Decision } from '../kit/proposals.ts';
import type { Verdict } from '../kit/use-decisions.tsx';
import { overviewQuery } from '../shell/queries.ts';

const rows = endpoints.consoleAdjustments;

export const readAdjustments = (state: ProposalState) => (query: PageQuery, signal: AbortSignal) =>
  call(rows.listAdjustments, { query: { ...query, state }, signal });

/** Each decision names the version that the operator saw. */
function send(id: string, { decision, version, values }: Verdict<Decision>): Promise<Adjustment> {
  const params = { id };
  switch (decision) {
    case 'approve':
      return call(rows.approveAdjustment, { params, body: { version, otp: values.otp } });
    case 'reject':
      return call(rows.rejectAdjustment, { params, body: { version, reason: values.reason } });
    case 'withdraw':
      return call(rows.withdrawAdjustment, { params, body: { version } });
  }
}

/** Lists and figures may have moved on, whatever comes of it. */
function useRefresh() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ['operator', 'adjustments'] });
    void client.invalidateQueries({ queryKey: overviewQuery.queryKey });
  };
}

export const useDecide = (id: string) =>
  useMutation({ mutationFn: (verdict: Verdict<Decision>) => send(id, verdict), onSettled: useRefresh() });

/** The client finds the key of the intention, so that pressing twice proposes once. */
export const usePropose = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof consoleAdjustments.proposeAdjustment>) => call(rows.proposeAdjustment, { body }),
    onSettled: useRefresh(),
  });
