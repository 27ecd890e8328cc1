import type { OperatorRole } from '#contract/endpoint.ts';
import type { OperatorCode } from '#contract/fields.ts';
import type { Proposal, ProposalState } from '#contract/operator/proposals.ts';
import type { PageQuery } from '../../../api/csv.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { moneyRoles } from '../roles.ts';
import type { Decision, DecisionWords } from './decisions.tsx';
import { useList } from './list-table.tsx';
import { useOperatorMutation } from './use-operator-mutation.ts';

/** What can be done about something that one operator proposed and another has to approve. */
export type ApprovalAction = 'approve' | 'reject' | 'withdraw';

/** One kind of proposal: its calls, and its words where they differ. */
export type ApprovalKind<P extends Proposal> = {
  /** Where its lists and figures lie among the queries. */
  readonly key: string;
  /** `Treasury move`, before its reference. */
  readonly name: string;
  readonly list: (
    query: PageQuery & { state: ProposalState },
    signal: AbortSignal,
  ) => Promise<{ items: P[]; next_cursor: string | null }>;
  readonly approve: (params: { id: string }, body: { version: number; otp: OperatorCode }) => Promise<P>;
  readonly reject: (params: { id: string }, body: { version: number; reason: string }) => Promise<P>;
  readonly withdraw: (params: { id: string }, body: { version: number }) => Promise<P>;
  /** Who has to approve it, of two. */
  readonly second: 'operator' | 'admin';
  /** States in other words than *Posted*. */
  readonly states?: Partial<Record<ProposalState, string>>;
  /** Beside the buttons: what approving does. */
  readonly approves: string;
  /** What happens then, in the dialog of each action. */
  readonly texts: (proposal: P) => Record<ApprovalAction, string>;
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

/** Who proposes, approves and rejects. */
export const rolesOf = ({ second }: Pick<ApprovalKind<Proposal>, 'second'>): readonly OperatorRole[] =>
  second === 'admin' ? ['admin'] : moneyRoles;

/**
 * Nobody approves their own proposal, one whose proposer lost the role it takes, or one that something else
 * blocks. The server checks the same again.
 */
export function choiceOf(
  kind: Pick<ApprovalKind<Proposal>, 'second' | 'approves'>,
  { state, proposed_by, proposer_counts }: Pick<Proposal, 'state' | 'proposed_by' | 'proposer_counts'>,
  operator: Operator,
  blockedBy?: string,
): { actions: readonly ApprovalAction[]; note: string } {
  if (state !== 'proposed') return { actions: [], note: '' };
  if (!rolesOf(kind).includes(operator.role)) {
    return { actions: [], note: kind.second === 'admin' ? 'Only admins decide.' : 'Only finance and admins decide.' };
  }
  const isOwn = proposed_by.id === operator.id;
  if (!proposer_counts) {
    const note = 'No longer valid: the proposer was disabled or changed role. Propose it again.';
    return { actions: [isOwn ? 'withdraw' : 'reject'], note };
  }
  if (isOwn) return { actions: ['withdraw'], note: `You proposed it. A second ${kind.second} has to approve it.` };
  return blockedBy === undefined
    ? { actions: ['reject', 'approve'], note: kind.approves }
    : { actions: ['reject'], note: blockedBy };
}

export function decisionWords<P extends Proposal>(
  { texts, busy, done }: ApprovalKind<P>,
  action: ApprovalAction,
  proposal: P,
): DecisionWords {
  const of = (button: string) => ({ button, title: `${button} ${proposal.reference}`, text: texts(proposal)[action] });
  if (action === 'approve') return { ...of('Approve'), busy, otp: true, done };
  if (action === 'withdraw') return { ...of('Withdraw'), danger: true, done: 'Withdrawn' };
  return { ...of('Reject'), busy: 'Rejecting', danger: true, reason: 'Visible to operators.', done: 'Rejected' };
}

const LIST_POLL_MS = 15_000;

export const useApprovals = <P extends Proposal>(kind: ApprovalKind<P>, state: ProposalState, enabled = true) =>
  useList<P>({
    queryKey: [kind.key, 'proposals', state],
    readPage: (query, signal) => kind.list({ ...query, state }, signal),
    pollMs: LIST_POLL_MS,
    enabled,
  });

export const useDecide = <P extends Proposal>(kind: ApprovalKind<P>, id: string) =>
  useOperatorMutation(
    ({ action, version, values: { otp, reason } }: Decision<ApprovalAction>): Promise<P> => {
      if (action === 'approve') return kind.approve({ id }, { version, otp });
      if (action === 'reject') return kind.reject({ id }, { version, reason });
      return kind.withdraw({ id }, { version });
    },
    [kind.key, 'overview'],
  );
