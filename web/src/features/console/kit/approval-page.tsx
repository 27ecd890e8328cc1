import { Button } from '@mantine/core';
import { type Icon, IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Proposal, ProposalState } from '#contract/operator/proposals.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { consolePath } from '../../../ui/paths.ts';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { CodeText, TextLink } from '../../../ui/text/text.tsx';
import {
  type ApprovalKind,
  choiceOf,
  decisionOf,
  proposalQuery,
  rolesOf,
  stateLabelsOf,
  statesOf,
  useApprovals,
} from './approvals.ts';
import { column, timeLines } from './columns.tsx';
import { useDecisions } from './decisions.tsx';
import { DetailFacts, DetailLead, DetailPanel, QueryDetail } from './detail-panel.tsx';
import { ListPage, useTab } from './list-page.tsx';

type ApprovalPageProps<P extends Proposal> = {
  kind: ApprovalKind<P>;
  /** Below `/operator/`. */
  path: string;
  title: string;
  facts: string;
  /** Columns before the state. */
  label: string;
  icon: Icon;
  columns: readonly Column<P>[];
  /** The button that proposes, for the roles that may, and its dialog; omitted where proposals are made elsewhere. */
  propose?: { button: string; dialog: (opened: boolean, onClose: () => void) => ReactNode };
  /** The figure of a proposal, if any, and its sections. */
  lead?: (proposal: P) => ReactNode;
  sections: (proposal: P) => ReactNode;
  /** Between head and list. */
  children?: ReactNode;
};

/** Proposals that a second operator approves: pending ones first. */
export function ApprovalPage<P extends Proposal>(props: ApprovalPageProps<P>) {
  const { kind, path, title, facts, label, icon, columns, propose, lead, sections, children } = props;
  const { role } = useOperator();
  const states = statesOf(kind);
  const tab = useTab<ProposalState>(states);
  const list = useApprovals(kind, tab.value);
  const [isProposing, setProposing] = useState(false);
  const words = stateLabelsOf(kind);
  return (
    <>
      <ListPage<P, ProposalState>
        path={path}
        title={title}
        facts={facts}
        actions={
          propose &&
          (kind.proposers ?? rolesOf(kind)).includes(role) && (
            <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setProposing(true)}>
              {propose.button}
            </Button>
          )
        }
        tabs={{ label: 'State', tabs: states.map((value) => ({ value, label: words[value] })), ...tab }}
        label={`${label}, ${words[tab.value].toLowerCase()}`}
        columns={columns}
        list={list}
        empty={{ icon, ...emptyOf(label, words, tab.value) }}
        detail={(id, close) => <Opened key={id} {...{ kind, id, lead, sections }} onClose={close} />}
      >
        {children}
      </ListPage>
      {propose?.dialog(isProposing, () => setProposing(false))}
    </>
  );
}

/** `No moves to approve`, `No moves rejected yet`. */
export const emptyOf = (label: string, words: Record<ProposalState, string>, state: ProposalState) => ({
  title: `No ${label.toLowerCase()} ${words[state].toLowerCase()}${state === 'proposed' ? '' : ' yet'}`,
  text: state === 'proposed' && 'Proposals appear here until a second operator approves or rejects them.',
});

type OpenedProps<P extends Proposal> = Pick<ApprovalPageProps<P>, 'kind' | 'lead' | 'sections'> & {
  id: string;
  onClose: () => void;
};

/** The proposal in the address, in any state: a decided one leaves its list but stays open. */
const Opened = <P extends Proposal>({ kind, id, lead, sections, ...detail }: OpenedProps<P>) => (
  <QueryDetail query={proposalQuery(kind, id)} kind={kind.name} onClose={detail.onClose}>
    {(proposal) => (
      <ApprovalDetail {...{ kind, proposal, ...detail }} lead={lead?.(proposal)}>
        {sections(proposal)}
      </ApprovalDetail>
    )}
  </QueryDetail>
);

/** Columns common to all lists, around those of the kind. */
export const proposalColumns = <P extends Proposal>(
  own: readonly Column<P>[],
  last: readonly Column<P>[] = [],
): readonly Column<P>[] => [
  column('Proposed, UTC', (row) => timeLines(row.proposed_at), { width: '128px' }),
  column('Reference', (row) => <CodeText>{row.reference}</CodeText>, { width: '116px', drop: 'next' }),
  ...own,
  column('By', (row) => row.proposed_by.name, { width: '140px', drop: 'first' }),
  ...last,
];

type ApprovalDetailProps<P extends Proposal> = {
  kind: ApprovalKind<P>;
  proposal: P;
  /** Why nobody can approve it; it can still be rejected. */
  blockedBy?: string | undefined;
  lead?: ReactNode;
  children: ReactNode;
  onClose: () => void;
};

type Results = { transfer_id?: string | null; plan_id?: string | null };

/** One proposal: what the approver needs, who proposed and decided, and the transfer or plan that it became. */
export function ApprovalDetail<P extends Proposal>(props: ApprovalDetailProps<P>) {
  const { kind, proposal, blockedBy, lead, children, onClose } = props;
  const client = useQueryClient();
  const { proposed_by, proposed_at, decided_by, decided_at, due_at, ended_by, ended_at, note } = proposal;
  const { transfer_id, plan_id }: Proposal & Results = proposal;
  const choice = choiceOf(kind, proposal, useOperator(), blockedBy);
  const decisions = useDecisions({
    actions: choice.actions,
    version: proposal.version,
    decisionOf: (action) => decisionOf(kind, action, proposal),
    refreshes: [kind.key, 'overview', ...(kind.also ?? [])],
    onDone: (decided) => client.setQueryData(proposalQuery(kind, decided.id).queryKey, decided),
  });
  return (
    <DetailPanel
      title={proposal.reference}
      kind={kind.name}
      badge={
        <StateBadge of="withdrawal" state={badgeStates[proposal.state]}>
          {stateLabelsOf(kind)[proposal.state]}
        </StateBadge>
      }
      onClose={onClose}
      decisions={decisions}
      note={choice.note}
    >
      {lead && <DetailLead>{lead}</DetailLead>}
      {children}
      <DetailFacts
        title="Approval"
        items={[
          ['Proposed', `${proposed_by.name}, ${formatDateTime(proposed_at)}`],
          decided_by && decided_at && ['Decided', `${decided_by.name}, ${formatDateTime(decided_at)}`],
          due_at !== null && ['Takes effect', formatDateTime(due_at)],
          ended_at !== null && [
            proposal.state === 'posted' ? 'Took effect' : 'Withdrawn',
            ended_by ? `${ended_by.name}, ${formatDateTime(ended_at)}` : formatDateTime(ended_at),
          ],
          note !== null && ['Reason', note],
          plan_id && ['Plan', `No. ${plan_id}`],
          transfer_id && ['Transfer', <TransferLink key="transfer" id={transfer_id} />],
        ]}
      />
    </DetailPanel>
  );
}

export const TransferLink = ({ id }: { id: string }) => (
  <TextLink to={`${consolePath('ledger')}/${id}`}>No. {id}</TextLink>
);

/** The same tones as for withdrawals. */
const badgeStates = {
  proposed: 'requested',
  approved: 'approved',
  posted: 'completed',
  rejected: 'rejected',
  withdrawn: 'cancelled',
} as const;
