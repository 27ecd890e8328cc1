import { queryOptions } from '@tanstack/react-query';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { OperatorCode } from '#contract/fields.ts';
import type { LooseningKind } from '#contract/operator/loosenings.ts';
import type { Proposal, ProposalState } from '#contract/operator/proposals.ts';
import { twoFactorOffDays } from '#contract/rules.ts';
import { CallError } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/csv.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { pollEvery } from '../../../api/query-of.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { financeRoles } from '../roles.ts';
import type { Decision } from './decisions.tsx';
import { useList } from './list-table.tsx';

/** The actions on a proposal that another operator has to approve. */
export type ApprovalAction = 'approve' | 'reject' | 'withdraw';

/** One kind of proposal: its calls, and its labels where they differ. */
export type ApprovalKind<P extends Proposal> = {
  /** The query key of its lists and details. */
  readonly key: string;
  /** Other queries that a decision changes. */
  readonly also?: readonly string[];
  /** `Treasury move`, before its reference. */
  readonly name: string;
  readonly list: (
    query: PageQuery & { state?: ProposalState; id?: string },
    signal: AbortSignal,
  ) => Promise<{ items: P[]; next_cursor: string | null }>;
  readonly approve: (params: { id: string }, body: { version: number; otp: OperatorCode }) => Promise<P>;
  readonly reject: (params: { id: string }, body: { version: number; reason: string }) => Promise<P>;
  readonly withdraw: (params: { id: string }, body: { version: number }) => Promise<P>;
  /** The role that approves, of two. */
  readonly second: 'operator' | 'admin';
  /** The role that proposes, where it differs from the approver's. */
  readonly proposers?: readonly OperatorRole[];
  /** Whether an approved proposal may still be scheduled. */
  readonly waits?: true;
  /** Labels of states other than *Posted*. */
  readonly states?: Partial<Record<ProposalState, string>>;
  /** Note beside the buttons: the effect of approving. */
  readonly approves: string;
  /** The consequences, in the dialog of each action. */
  readonly texts: (proposal: P) => Record<ApprovalAction, string>;
  readonly busy: string;
  readonly done: string;
};

/** The states that this kind can have. */
export const statesOf = ({
  waits,
}: Pick<ApprovalKind<Proposal>, 'waits'>): readonly [ProposalState, ...ProposalState[]] => [
  'proposed',
  ...(waits ? (['approved'] as const) : []),
  'posted',
  'rejected',
  'withdrawn',
];

export const stateLabelsOf = ({ states }: Pick<ApprovalKind<Proposal>, 'states'>): Record<ProposalState, string> => ({
  proposed: 'To approve',
  approved: 'Scheduled',
  posted: 'Posted',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  ...states,
});

/** The roles that approve and reject. */
export const rolesOf = ({ second }: Pick<ApprovalKind<Proposal>, 'second'>): readonly OperatorRole[] =>
  second === 'admin' ? ['admin'] : financeRoles;

type Seen = 'state' | 'proposed_by' | 'proposer_counts' | 'due_at';

/**
 * Nobody approves their own proposal, one whose proposer lost the required role, or one that is blocked. The server
 * checks the same again.
 */
export function choiceOf(
  kind: Pick<ApprovalKind<Proposal>, 'second' | 'approves' | 'proposers'>,
  { state, proposed_by, proposer_counts, due_at }: Pick<Proposal, Seen>,
  operator: Operator,
  blockedBy?: string,
): { actions: readonly ApprovalAction[]; note: string } {
  if (state !== 'proposed' && state !== 'approved') return { actions: [], note: '' };
  const isOwn = proposed_by.id === operator.id;
  if (!rolesOf(kind).includes(operator.role)) {
    const note = kind.second === 'admin' ? 'Only admins decide.' : 'Only finance and admins decide.';
    const mayWithdraw = isOwn && kind.proposers?.includes(operator.role) === true;
    return mayWithdraw ? { actions: ['withdraw'], note: `You proposed it. ${note}` } : { actions: [], note };
  }
  if (due_at !== null) {
    return { actions: ['withdraw'], note: `Takes effect ${formatDateTime(due_at)}, unless it is withdrawn before.` };
  }
  if (!proposer_counts) {
    const note = 'No longer valid: the proposer was disabled or changed role. Propose it again.';
    return { actions: [isOwn ? 'withdraw' : 'reject'], note };
  }
  if (isOwn) return { actions: ['withdraw'], note: `You proposed it. A second ${kind.second} has to approve it.` };
  return blockedBy === undefined
    ? { actions: ['reject', 'approve'], note: kind.approves }
    : { actions: ['reject'], note: blockedBy };
}

/** The dialog of each of the three actions, and its call. */
export function decisionOf<P extends Proposal>(
  { texts, busy, done, ...calls }: ApprovalKind<P>,
  action: ApprovalAction,
  proposal: P,
): Decision<P> {
  const params = { id: proposal.id };
  const of = (button: string) => ({ button, title: `${button} ${proposal.reference}`, text: texts(proposal)[action] });
  const decisions: Record<ApprovalAction, Decision<P>> = {
    approve: {
      ...of('Approve'),
      busy,
      otp: true,
      done,
      send: ({ otp }, version) => calls.approve(params, { version, otp }),
    },
    reject: {
      ...of('Reject'),
      busy: 'Rejecting',
      danger: true,
      reason: 'Visible to operators.',
      done: 'Rejected',
      send: ({ reason }, version) => calls.reject(params, { version, reason }),
    },
    withdraw: {
      ...of('Withdraw'),
      danger: true,
      done: 'Withdrawn',
      send: (_, version) => calls.withdraw(params, { version }),
    },
  };
  return decisions[action];
}

const LIST_POLL_MS = 15_000;

export const useApprovals = <P extends Proposal>(kind: ApprovalKind<P>, state: ProposalState, enabled = true) =>
  useList<P>({
    queryKey: [kind.key, 'proposals', state],
    readPage: (query, signal) => kind.list({ ...query, state }, signal),
    pollMs: LIST_POLL_MS,
    enabled,
  });

const ONE_POLL_MS = 5_000;

/** One proposal, in any state. Polled, because another operator may decide it at any time. */
export const proposalQuery = <P extends Proposal>(kind: ApprovalKind<P>, id = '') =>
  queryOptions<P>({
    queryKey: ['operator', kind.key, 'proposals', 'one', id],
    queryFn: async ({ signal }) => {
      const [proposal] = (await kind.list({ limit: '1', id }, signal)).items;
      if (proposal === undefined) throw new CallError(404, 'Not found.');
      return proposal;
    },
    refetchInterval: pollEvery(ONE_POLL_MS),
    enabled: id !== '',
  });

/** What a loosening proposes, as a verb and an object. */
export const looseningLabels: Record<LooseningKind, string> = {
  unfreeze: 'Unfreeze account',
  lift_withdrawal_stop: 'Resume withdrawals',
  verify: 'Verify member',
  turn_off_two_factor: 'Turn off two-factor',
};

export const twoFactorOffText = `Two-factor authentication is turned off ${twoFactorOffDays} days after the approval, unless the member signs in with it or reports it before. Signing in to a frozen account does not count: freeze one that was taken over. The member is notified of the approval.`;
