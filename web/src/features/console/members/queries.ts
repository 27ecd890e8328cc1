import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyOf } from '#contract/endpoint.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';
import type { DecisionValues } from '../kit/decision-dialog.tsx';
import type { MemberAction } from './access-panel.tsx';

const PAGE_POLL_MS = 20_000;

export const findMembers = (search: string) => (query: PageQuery, signal: AbortSignal) =>
  call(endpoints.consoleMembers.findMembers, { query: search === '' ? query : { ...query, search }, signal });

/** Everything about one member. Reading it is in the audit log. */
export const memberPageQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'members', 'one', id],
    queryFn: ({ signal }) => call(endpoints.consoleMembers.getMemberPage, { params: { id }, signal }),
    refetchInterval: pollEvery(PAGE_POLL_MS),
  });

type Act = { action: Exclude<MemberAction, 'open'>; values: DecisionValues };

function send(id: string, { action, values }: Act): Promise<null> {
  const { reason: why, otp } = values;
  const params = { id };
  const desk = endpoints.payoutDesk;
  switch (action) {
    case 'freeze':
      return call(endpoints.memberControls.setMemberFrozen, { params, body: { frozen: true, why } });
    case 'unfreeze':
      return call(endpoints.memberControls.setMemberFrozen, { params, body: { frozen: false, why, otp } });
    case 'verify':
      return call(desk.setMemberVerified, { params, body: { verified: true, why } });
    case 'unverify':
      return call(desk.setMemberVerified, { params, body: { verified: false, why } });
    case 'stop':
      return call(desk.setWithdrawalsFrozen, { params, body: { frozen: true, why } });
    case 'go_on':
      return call(desk.setWithdrawalsFrozen, { params, body: { frozen: false, why, otp } });
  }
}

export function useActOnMember(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: Act) => send(id, act),
    onSettled: () => void client.invalidateQueries({ queryKey: ['operator', 'members'] }),
  });
}

export function useTightenLimits(id: string) {
  const client = useQueryClient();
  const { tightenMemberLimits } = endpoints.memberControls;
  return useMutation({
    mutationFn: (body: BodyOf<typeof tightenMemberLimits>) => call(tightenMemberLimits, { params: { id }, body }),
    onSettled: () => void client.invalidateQueries({ queryKey: ['operator', 'members'] }),
  });
}

/** A sign-in of the member that only reads. Its token stays in the dialog that asked for it. */
export const useOpenMember = (id: string) =>
  useMutation({
    mutationFn: (reason: string) => call(endpoints.operatorOpen.openMember, { params: { id }, body: { reason } }),
    gcTime: 0,
  });
