import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Proposal, ProposalState } from '#contract/operator/proposals.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { payers } from '../roles.ts';
import { overviewQuery } from '../shell/queries.ts';
import { useList } from './list-table.tsx';
import type { DecisionWords, Verdict } from './use-decisions.tsx';

/** What can be done about something that one operator proposed and another has to approve. */
export type Decision = 'approve' | 'reject' | 'withdraw';

/** One kind of proposal that the console lists and decides about: its calls, and what differs in words. */
export type ApprovalKind<P extends Proposal> = {
  /** Where its lists and figures lie among the queries. */
  readonly key: string;
  /** `Treasury move`, before its reference. */
  readonly name: string;
  readonly list: (
    query: PageQuery & { state: ProposalState },
    signal: AbortSignal,
  ) => Promise<{ items: P[]; next_cursor: string | null }>;
  readonly approve: (params: { id: string }, body: { version: number; otp: string }) => Promise<P>;
  readonly reject: (params: { id: string }, body: { version: number; reason: string }) => Promise<P>;
  readonly withdraw: (params: { id: string }, body: { version: number }) => Promise<P>;
  /** Whose word it takes, of two. */
  readonly second: 'operator' | 'admin';
  /** States in other words than *Posted*. */
  readonly states?: Partial<Record<ProposalState, string>>;
  /** Beside the buttons: what approving does. */
  readonly approves: string;
  /** What happens now, in the dialog of each decision. */
  readonly texts: (proposal: P) => Record<Decision, string>;
  readonly busy: string;
  readonly done: string;
};

export const proposalStates = ['proposed', 'posted', 'rejected', 'withdrawn'] as const;

export const stateWordsOf = ({ states }: Pick<ApprovalKind<Proposal>, 'states'>): Record<ProposalState, string> => ({
  proposed: 'To approve',
  posted: 'Posted',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  ...states,
});

/** Who proposes and decides. */
export const decidersOf = ({ second }: Pick<ApprovalKind<Proposal>, 'second'>): readonly OperatorRole[] =>
  second === 'admin' ? ['admin'] : payers;

/**
 * Nobody approves what they proposed themselves, what its proposer is not trusted with any more, or what something else
 * stands in the way of; the server decides again.
 */
export function choiceOf(
  kind: Pick<ApprovalKind<Proposal>, 'second' | 'approves'>,
  { state, proposed_by, proposer_counts }: Pick<Proposal, 'state' | 'proposed_by' | 'proposer_counts'>,
  operator: Operator,
  hindrance?: string,
): { decisions: readonly Decision[]; note: string } {
  if (state !== 'proposed') return { decisions: [], note: '' };
  const isAdmins = kind.second === 'admin';
  if (!decidersOf(kind).includes(operator.role)) {
    return { decisions: [], note: isAdmins ? 'Admins decide.' : 'Finance and admins decide.' };
  }
  const isOwn = proposed_by.id === operator.id;
  if (!proposer_counts) {
    const note = 'It does not count any more: whoever proposed it was disabled or given another role. Propose it anew.';
    return { decisions: [isOwn ? 'withdraw' : 'reject'], note };
  }
  if (isOwn) return { decisions: ['withdraw'], note: `You proposed it. A second ${kind.second} has to approve it.` };
  return hindrance === undefined
    ? { decisions: ['reject', 'approve'], note: kind.approves }
    : { decisions: ['reject'], note: hindrance };
}

export function decisionWords<P extends Proposal>(
  { texts, busy, done }: ApprovalKind<P>,
  decision: Decision,
  proposal: P,
): DecisionWords {
  const { reference } = proposal;
  const text = texts(proposal)[decision];
  switch (decision) {
    case 'approve':
      return { button: 'Approve', title: `Approve ${reference}`, text, confirm: 'Approve', busy, otp: true, done };
    case 'reject':
      return {
        button: 'Reject',
        title: `Reject ${reference}`,
        text,
        confirm: 'Reject',
        busy: 'Rejecting',
        danger: true,
        reason: { label: 'Reason', hint: 'Operators read it.' },
        done: 'Rejected',
      };
    case 'withdraw':
      return {
        button: 'Withdraw',
        title: `Withdraw ${reference}`,
        text,
        confirm: 'Withdraw it',
        busy: 'Saving',
        danger: true,
        done: 'Withdrawn',
      };
  }
}

const LIST_POLL_MS = 15_000;

export const useApprovals = <P extends Proposal>(kind: ApprovalKind<P>, state: ProposalState, enabled = true) =>
  useList<P>({
    queryKey: [kind.key, 'proposals', state],
    readPage: (query, signal) => kind.list({ ...query, state }, signal),
    pollMs: LIST_POLL_MS,
    enabled,
  });

/** About the version that the operator saw. */
export const useDecide = <P extends Proposal>(kind: ApprovalKind<P>, id: string) =>
  useChange(kind, ({ decision, version, values }: Verdict<Decision>): Promise<P> => {
    if (decision === 'approve') return kind.approve({ id }, { version, otp: values.otp });
    if (decision === 'reject') return kind.reject({ id }, { version, reason: values.reason });
    return kind.withdraw({ id }, { version });
  });

/**
 * Proposes or decides; lists and figures may have moved on, whatever comes of it. The client finds the key of the
 * intention, so that pressing twice proposes once.
 */
export function useChange<Input, Changed>(
  { key }: Pick<ApprovalKind<Proposal>, 'key'>,
  send: (input: Input) => Promise<Changed>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['operator', key] });
      void client.invalidateQueries({ queryKey: overviewQuery.queryKey });
    },
  });
}
