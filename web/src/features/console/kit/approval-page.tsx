import { Button } from '@mantine/core';
import { type Icon, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Proposal, ProposalState } from '#contract/operator/proposals.ts';
import { type Operator, useOperator } from '../../../api/operator-state.ts';
import { formatDateTime, formatShortDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { consolePath } from '../../../ui/paths.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { TextLink } from '../../../ui/text/text-link.tsx';
import {
  type ApprovalKind,
  choiceOf,
  decidersOf,
  decisionWords,
  proposalStates,
  stateWordsOf,
  useApprovals,
  useDecide,
} from './approvals.ts';
import { DetailLead, DetailPanel, DetailSection } from './detail-panel.tsx';
import { ListPage, useTab } from './list-page.tsx';
import { useDecisions } from './use-decisions.tsx';

type ApprovalPageProps<P extends Proposal> = {
  kind: ApprovalKind<P>;
  /** Below `/operator/`. */
  path: string;
  title: string;
  facts: string;
  /** Of the list, before its state. */
  label: string;
  icon: Icon;
  columns: readonly Column<P>[];
  /** On the button that proposes, for those who may. */
  propose: string;
  dialog: (opened: boolean, onClose: () => void) => ReactNode;
  /** The figure of one, and its sections. */
  lead: (proposal: P) => ReactNode;
  sections: (proposal: P) => ReactNode;
  /** Between head and list. */
  children?: ReactNode;
};

/** What one operator proposes and another approves: what waits first, and beside it the one that is open. */
export function ApprovalPage<P extends Proposal>(props: ApprovalPageProps<P>) {
  const { kind, path, title, facts, label, icon: Icon, columns, propose, dialog, lead, sections, children } = props;
  const operator = useOperator();
  const tab = useTab<ProposalState>(proposalStates);
  const list = useApprovals(kind, tab.value);
  const { shownOf, setDecided } = useDecided<P>();
  const [isProposing, setProposing] = useState(false);
  const words = stateWordsOf(kind);
  return (
    <>
      <ListPage<P, ProposalState>
        path={path}
        title={title}
        facts={facts}
        actions={
          operator &&
          decidersOf(kind).includes(operator.role) && (
            <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setProposing(true)}>
              {propose}
            </Button>
          )
        }
        tabs={{ label: 'State', tabs: proposalStates.map((value) => ({ value, label: words[value] })), ...tab }}
        label={`${label}, ${words[tab.value].toLowerCase()}`}
        columns={columns}
        list={list}
        empty={{ icon: <Icon size={20} stroke={1.5} />, title: nothingIn(kind, tab.value) }}
        detail={(id, close, row) => {
          const proposal = shownOf(id, row);
          if (!operator || !proposal) return undefined;
          return (
            <ApprovalDetail
              key={id}
              {...{ kind, proposal, operator }}
              lead={lead(proposal)}
              onClose={close}
              onDecided={setDecided}
            >
              {sections(proposal)}
            </ApprovalDetail>
          );
        }}
      >
        {children}
      </ListPage>
      {dialog(isProposing, () => setProposing(false))}
    </>
  );
}

export const nothingIn = ({ second }: Pick<ApprovalKind<Proposal>, 'second'>, state: ProposalState): string =>
  state === 'proposed' ? `Nothing waits for a second ${second}` : 'None yet';

/** One that was decided leaves its list and stays open all the same. */
export function useDecided<P extends Proposal>() {
  const [decided, setDecided] = useState<P>();
  return { setDecided, shownOf: (id: string, row: P | undefined) => row ?? (decided?.id === id ? decided : undefined) };
}

/** When, which and who of each list, around what is its own. */
export const proposalColumns = <P extends Proposal>(
  own: readonly Column<P>[],
  last: readonly Column<P>[] = [],
  at = 'Proposed, UTC',
): readonly Column<P>[] => [
  { key: 'at', label: at, width: '128px', render: (row) => formatShortDateTime(row.proposed_at) },
  {
    key: 'reference',
    label: 'Reference',
    width: '116px',
    from: 'middle',
    render: (row) => <CodeText>{row.reference}</CodeText>,
  },
  ...own,
  { key: 'by', label: 'By', width: '140px', from: 'wide', render: (row) => row.proposed_by.name },
  ...last,
];

type ApprovalDetailProps<P extends Proposal> = {
  kind: ApprovalKind<P>;
  proposal: P;
  operator: Operator;
  /** Why it cannot be approved whoever looks; it can be rejected. */
  hindrance?: string | undefined;
  lead?: ReactNode;
  children: ReactNode;
  onClose: () => void;
  onDecided: (proposal: P) => void;
};

/** One proposal with all that a second operator needs. */
export function ApprovalDetail<P extends Proposal>(props: ApprovalDetailProps<P>) {
  const { kind, proposal, operator, hindrance, lead, children, onClose, onDecided } = props;
  const { decisions, note } = choiceOf(kind, proposal, operator, hindrance);
  const { buttons, dialog, changed } = useDecisions({
    decisions,
    version: proposal.version,
    wordsOf: (decision) => decisionWords(kind, decision, proposal),
    mutation: useDecide(kind, proposal.id),
    onDone: onDecided,
  });
  return (
    <>
      <DetailPanel
        title={proposal.reference}
        kind={kind.name}
        badge={
          <StateBadge of="withdrawal" state={looks[proposal.state]}>
            {stateWordsOf(kind)[proposal.state]}
          </StateBadge>
        }
        onClose={onClose}
        foot={
          note && (
            <>
              {buttons}
              <p>{note}</p>
            </>
          )
        }
      >
        {lead && <DetailLead>{lead}</DetailLead>}
        {changed && (
          <DetailLead>
            <Banner tone="amber">{changed}</Banner>
          </DetailLead>
        )}
        {children}
        <Timeline proposal={proposal} />
      </DetailPanel>
      {dialog}
    </>
  );
}

/** The tones of a withdrawal in the same place. */
const looks = { proposed: 'requested', posted: 'completed', rejected: 'rejected', withdrawn: 'cancelled' } as const;

type Results = { transfer_id?: string | null; plan_id?: string | null };

/** Who proposed it, who decided, and the transfer or plan that it became. */
function Timeline({ proposal }: { proposal: Proposal & Results }) {
  const { proposed_by, proposed_at, decided_by, decided_at, note, transfer_id, plan_id } = proposal;
  const lines: (readonly [string, ReactNode])[] = [['Proposed', `${proposed_by.name}, ${formatDateTime(proposed_at)}`]];
  if (decided_by && decided_at) lines.push(['Decided', `${decided_by.name}, ${formatDateTime(decided_at)}`]);
  if (note !== null) lines.push(['Why', note]);
  if (plan_id) lines.push(['Plan', `no. ${plan_id}`]);
  if (transfer_id) {
    lines.push([
      'Transfer',
      <TextLink key="transfer" to={`${consolePath('ledger')}/${transfer_id}`}>
        no. {transfer_id}
      </TextLink>,
    ]);
  }
  return (
    <DetailSection title="Two people">
      <KeyValues items={lines} />
    </DetailSection>
  );
}
