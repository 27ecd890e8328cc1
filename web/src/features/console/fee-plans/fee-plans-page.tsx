import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { FeePlan } from '#contract/fee-plan.ts';
import type { FeePlanProposal } from '#contract/operator/fee-plans.ts';
import type { ProposalState } from '#contract/operator/proposals.ts';
import { type Operator, useOperator } from '../../../api/operator-state.ts';
import { listChanges } from '../../../entities/income/fee-changes.ts';
import { formatDateTime, formatShortDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { ApprovalDetail, nothingIn, proposalColumns, useDecided } from '../kit/approval-page.tsx';
import { proposalStates, stateWordsOf, useApprovals } from '../kit/approvals.ts';
import { DetailLead, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { ListFrame, useOpened, useTab } from '../kit/list-page.tsx';
import { DeskError, DeskLoading, ListTable } from '../kit/list-table.tsx';
import { payers } from '../roles.ts';
import { useQueueCounts } from '../shell/queries.ts';
import { ChangeList } from './change-list.tsx';
import { DryRun } from './dry-run.tsx';
import { Editor } from './editor.tsx';
import classes from './fee-plans.module.css';
import { feePlanKind, plansQuery } from './queries.ts';
import { TermsForm } from './terms-form.tsx';

type View = 'terms' | ProposalState | 'plans';
const views = ['terms', ...proposalStates, 'plans'] as const satisfies readonly View[];
const stateWords = stateWordsOf(feePlanKind);
const viewWords: Record<View, string> = { terms: 'Terms', ...stateWords, plans: 'History' };

/**
 * The fee plan: what it says, what an admin proposes instead, and what a second one approves (docs/product.md,
 * section 6).
 */
export function FeePlansPage() {
  const operator = useOperator();
  const { opened, open, close } = useOpened('fee-plans');
  // A link to one proposal leads to where those are that wait.
  const tab = useTab<View>(views, 'view', opened === undefined ? 'terms' : 'proposed');
  const view = tab.value;
  const state = view === 'terms' || view === 'plans' ? undefined : view;
  const counts = useQueueCounts();
  const query = useQuery(plansQuery);
  const plans = query.data?.items;
  const list = useApprovals(feePlanKind, state ?? 'proposed', state !== undefined);
  const { shownOf, setDecided } = useDecided<FeePlanProposal>();
  const proposal =
    state &&
    opened &&
    shownOf(
      opened,
      list.rows?.find(({ id }) => id === opened),
    );
  const planIndex = view === 'plans' && plans ? plans.findIndex(({ id }) => id === opened) : -1;
  const plan = plans?.[planIndex];
  const empty = (title: string) => ({ icon: <IconPencil size={20} stroke={1.5} />, title });

  return (
    <>
      <PageHead
        title="Plan editor"
        facts="What is taken and where it goes. A plan takes two admins, and is in force from the next session that opens."
      />
      {plans === undefined &&
        (query.isError ? <DeskError query={query} title="The plans could not be loaded" /> : <DeskLoading />)}
      {plans && (
        <ListFrame
          tabs={{
            label: 'Plan',
            tabs: views.map((value) => ({
              value,
              label: viewWords[value],
              count: (value === 'proposed' && counts.fee_plans) || undefined,
            })),
            ...tab,
          }}
          detail={
            operator && proposal ? (
              <ProposalDetail
                key={proposal.id}
                {...{ proposal, plans, operator }}
                onClose={close}
                onDecided={setDecided}
              />
            ) : (
              plan && <PlanDetail key={plan.id} plan={plan} before={plans[planIndex + 1]} onClose={close} />
            )
          }
        >
          {view === 'terms' && (
            <TermsView plans={plans} isAdmin={operator?.role === 'admin'} onProposed={({ id }) => open(id)} />
          )}
          {state && (
            <ListTable
              key={state}
              label={`Proposed plans, ${stateWords[state].toLowerCase()}`}
              columns={columnsOf(plans)}
              selected={opened}
              onOpen={(row) => open(row.id)}
              onClose={close}
              list={list}
              empty={empty(nothingIn(feePlanKind, state))}
            />
          )}
          {view === 'plans' && (
            <ListTable
              label="Plans, newest first"
              columns={planColumns}
              selected={plan?.id}
              onOpen={(row) => open(row.id)}
              onClose={close}
              list={{ query, rows: plans }}
              empty={empty('None yet')}
            />
          )}
        </ListFrame>
      )}
    </>
  );
}

type TermsViewProps = {
  plans: readonly FeePlan[];
  isAdmin: boolean;
  onProposed: (proposal: FeePlanProposal) => void;
};

/** Begun anew when another plan is written: what was typed would be compared with one that is no longer the newest. */
function TermsView({ plans, isAdmin, onProposed }: TermsViewProps) {
  const current = plans.find(({ state }) => state === 'current');
  const next = plans.find(({ state }) => state === 'next');
  if (current === undefined) return null;
  return isAdmin ? (
    <Editor key={(next ?? current).id} current={current} next={next} onProposed={onProposed} />
  ) : (
    <TermsForm current={current.terms} next={next?.terms} />
  );
}

const columnsOf = (plans: readonly FeePlan[]) =>
  proposalColumns<FeePlanProposal>([
    {
      key: 'changes',
      label: 'What it changes',
      render: (row) => (
        <>
          {changeWords(row, plans)}
          <small>{row.reason}</small>
        </>
      ),
    },
  ]);

/** The names of what changes, as many as the row has room for. */
function changeWords({ terms, base_id }: FeePlanProposal, plans: readonly FeePlan[]): string {
  const base = plans.find(({ id }) => id === base_id);
  if (base === undefined) return '–';
  return (
    listChanges(base.terms, terms)
      .map(({ label, now, next }) => `${label} ${now} → ${next}`)
      .join(', ') || 'Nothing'
  );
}

const planColumns: readonly Column<FeePlan>[] = [
  { key: 'id', label: 'Plan', width: '84px', render: (row) => `No. ${row.id}` },
  { key: 'at', label: 'Written, UTC', width: '124px', render: (row) => formatShortDateTime(row.created_at) },
  { key: 'note', label: 'Note', render: (row) => row.note },
  { key: 'state', label: 'State', width: '140px', render: (row) => <PlanState plan={row} /> },
];

type ProposalDetailProps = {
  proposal: FeePlanProposal;
  /** Newest first. */
  plans: readonly FeePlan[];
  operator: Operator;
  onClose: () => void;
  onDecided: (proposal: FeePlanProposal) => void;
};

/** One proposed plan with all that a second admin needs: its differences, and what they would have come to. */
function ProposalDetail({ plans, ...detail }: ProposalDetailProps) {
  const { proposal, operator } = detail;
  const base = plans.find(({ id }) => id === proposal.base_id);
  const isFollowed = plans[0]?.id !== proposal.base_id;
  const isWaiting = proposal.state === 'proposed';
  return (
    <ApprovalDetail
      kind={feePlanKind}
      {...detail}
      hindrance={isFollowed ? 'Only a proposal that follows the newest plan can be approved.' : undefined}
    >
      {isWaiting && isFollowed && (
        <DetailLead>
          <Banner tone="amber">Another plan was written since it was proposed. Propose it again from that one.</Banner>
        </DetailLead>
      )}
      <DetailSection title={`Changes to plan no. ${proposal.base_id}`}>
        {base && <ChangeList from={base.terms} to={proposal.terms} />}
      </DetailSection>
      <DetailSection title="Note, which everybody reads">{proposal.reason}</DetailSection>
      {isWaiting && payers.includes(operator.role) && (
        <DetailSection title="On the last session">
          <div className={classes.run}>
            <DryRun terms={proposal.terms} />
          </div>
        </DetailSection>
      )}
    </ApprovalDetail>
  );
}

type PlanDetailProps = {
  plan: FeePlan;
  /** The one it followed; undefined of the first. */
  before: FeePlan | undefined;
  onClose: () => void;
};

/** One plan of the past or present, and what it changed. */
function PlanDetail({ plan, before, onClose }: PlanDetailProps) {
  return (
    <DetailPanel title={`No. ${plan.id}`} kind="Plan" badge={<PlanState plan={plan} />} onClose={onClose}>
      <DetailSection title="Written">{formatDateTime(plan.created_at)}</DetailSection>
      <DetailSection title="Note">{plan.note}</DetailSection>
      <DetailSection title={before ? `Changes to plan no. ${before.id}` : 'Changes'}>
        {before ? <ChangeList from={before.terms} to={plan.terms} /> : 'It is the first.'}
      </DetailSection>
    </DetailPanel>
  );
}

const looks = { current: 'open', next: 'queued', past: 'settled' } as const;
const words = { current: 'In force', next: 'Next session', past: 'Past' } as const;

/** Whether trades pay it now, from the next opening on, or not any more. */
const PlanState = ({ plan: { state } }: { plan: FeePlan }) => (
  <StateBadge of="trade" state={looks[state]}>
    {words[state]}
  </StateBadge>
);
