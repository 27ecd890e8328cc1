import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { operatorAccounts } from '#contract/accounts/operators.ts';
import type { BodyInOf } from '#contract/endpoint.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import type { Verdict } from '../kit/use-decisions.tsx';
import type { Action } from './actions.ts';

const rows = endpoints.operatorAccounts;

export const operatorsQuery = queryOptions({
  queryKey: ['operator', 'operators', 'list'],
  queryFn: ({ signal }) => call(rows.listOperators, { signal }),
});

/** Proposals that have not ended. */
export const readProposals = (query: PageQuery, signal: AbortSignal) =>
  call(rows.listOperatorProposals, { query: { ...query, open: 'true' }, signal });

/** One of the actions, with what the dialog asked for. */
async function send({ decision: action, values }: Verdict<Action>): Promise<void> {
  const { reason: why, otp } = values;
  const params = { id: action.id };
  switch (action.kind) {
    case 'role':
      await call(rows.changeOperatorRole, { params, body: { role: action.role, why, otp } });
      return;
    case 'reset':
      await call(rows.resetOperator, { params, body: { why, otp } });
      return;
    case 'disable':
      await call(rows.disableOperator, { params, body: { why, otp } });
      return;
    case 'resend':
      await call(rows.resendInvitation, { params, body: { otp } });
      return;
    case 'approve':
      await call(rows.approveOperatorProposal, { params, body: { otp } });
      return;
    case 'withdraw':
      await call(rows.withdrawOperatorProposal, { params, body: { otp } });
      return;
  }
}

const useRefresh = () => {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ['operator', 'operators'] });
};

export const useAct = () => useMutation({ mutationFn: send, onSettled: useRefresh() });

export const useInvite = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof operatorAccounts.inviteOperator>) => call(rows.inviteOperator, { body }),
    onSettled: useRefresh(),
  });
