import { Stack } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { FeePlan } from '#contract/fee-plan.ts';
import type { FeePlanProposal } from '#contract/operator/fee-plans.ts';
import type { ProposalState } from '#contract/operator/proposals.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { listChanges } from '../../../entities/income/fee-changes.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { ApprovalDetail, emptyOf, proposalColumns } from '../kit/approval-page.tsx';
import { proposalQuery, stateLabelsOf, statesOf, useApprovals } from '../kit/approvals.ts';
import { column, lines, timeLines } from '../kit/columns.tsx';
import { DetailLead, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { ListFrame, useOpened, useTab } from '../kit/list-page.tsx';
import { ListTable, LoadFailed, PageLoading } from '../kit/list-table.tsx';
import { financeRoles } from '../roles.ts';
import { useQueueCounts } from '../shell/queries.ts';
import { DryRun } from './dry-run.tsx';
import { ChangeList, Editor } from './editor.tsx';
import { feePlanKind, plansQuery } from './queries.ts';
import { TermsForm } from './terms-form.tsx';

type View = 'terms' | ProposalState | 'plans';
const views: readonly [View, ...View[]] = ['terms', ...statesOf(feePlanKind), 'plans'];
const stateLabels = stateLabelsOf(feePlanKind);
const viewLabels: Record<View, string> = { terms: 'Terms', ...stateLabels, plans: 'History' };

/** The current fee plan, proposals, and past ones (docs/product.md, section 6). */
export function FeePlansPage() {
  const isAdmin = useOperator().role === 'admin';
  const { opened, open, close, rows } = useOpened('fee-plans');
  // A link to one proposal opens the tab of proposals.
  const home = opened === undefined ? 'terms' : 'proposed';
  const tab = useTab<View>(views, { name: 'view', home, page: 'fee-plans' });
  const view = tab.value;
  const state = view === 'terms' || view === 'plans' ? undefined : view;
  const counts = useQueueCounts();
  const query = useQuery(plansQuery);
  const plans = query.data?.items;
  const list = useApprovals(feePlanKind, state ?? 'proposed', state !== undefined);
  const { data: proposal } = useQuery(proposalQuery(feePlanKind, state && opened));
  const planIndex = view === 'plans' && plans ? plans.findIndex(({ id }) => id === opened) : -1;
  const plan = plans?.[planIndex];

  return (
    <>
      <PageHead
        title="Fee plan"
        facts="Fees and their allocation. A new plan needs two admins and applies from the next session that opens."
      />
      {plans === undefined &&
        (query.isError ? <LoadFailed query={query} title="The fee plans could not be loaded" /> : <PageLoading />)}
      {plans && (
        <ListFrame
          tabs={{
            label: 'Plan',
            tabs: views.map((value) => ({
              value,
              label: viewLabels[value],
              count: (value === 'proposed' && counts.fee_plans) || undefined,
            })),
            ...tab,
          }}
          detail={
            proposal ? (
              <ProposalDetail key={proposal.id} {...{ proposal, plans }} onClose={close} />
            ) : (
              plan && <PlanDetail key={plan.id} plan={plan} before={plans[planIndex + 1]} onClose={close} />
            )
          }
        >
          {view === 'terms' && <TermsView plans={plans} isAdmin={isAdmin} onProposed={({ id }) => open(id)} />}
          {state && (
            <ListTable
              key={state}
              label={`Proposed fee plans, ${stateLabels[state].toLowerCase()}`}
              columns={columnsOf(plans)}
              {...rows}
              list={list}
              empty={{ icon: IconPencil, ...emptyOf('Fee plans', stateLabels, state) }}
            />
          )}
          {view === 'plans' && (
            <ListTable
              label="Fee plans, newest first"
              columns={planColumns}
              {...rows}
              list={{ query, rows: plans }}
              empty={{ icon: IconPencil, title: 'No fee plans yet' }}
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

/** Keyed by the newest plan, so that a draft is never compared with an older one. */
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
  proposalColumns<FeePlanProposal>([column('Changes', (row) => lines(changesOf(row, plans), row.reason))]);

/** `Trade fee 0.40% → 0.30%, …`, truncated to the row. */
function changesOf({ terms, base_id }: FeePlanProposal, plans: readonly FeePlan[]): string {
  const base = plans.find(({ id }) => id === base_id);
  if (base === undefined) return '–';
  return (
    listChanges(base.terms, terms)
      .map(({ label, now, next }) => `${label} ${now} → ${next}`)
      .join(', ') || 'None'
  );
}

const planColumns: readonly Column<FeePlan>[] = [
  column('Fee plan', (row) => `No. ${row.id}`, { width: '84px' }),
  column('Published, UTC', (row) => timeLines(row.created_at), { width: '124px' }),
  column('Reason', (row) => row.note),
  column('State', (row) => <PlanState plan={row} />, { width: '140px' }),
];

type ProposalDetailProps = {
  proposal: FeePlanProposal;
  /** Newest first. */
  plans: readonly FeePlan[];
  onClose: () => void;
};

/** One proposed fee plan: its changes, and their effect on the last session. */
function ProposalDetail({ plans, ...detail }: ProposalDetailProps) {
  const { proposal } = detail;
  const { role } = useOperator();
  const base = plans.find(({ id }) => id === proposal.base_id);
  const isSuperseded = plans[0]?.id !== proposal.base_id;
  const isWaiting = proposal.state === 'proposed';
  return (
    <ApprovalDetail
      kind={feePlanKind}
      {...detail}
      blockedBy={isSuperseded ? 'Only a proposal based on the newest fee plan can be approved.' : undefined}
    >
      {isWaiting && isSuperseded && (
        <DetailLead>
          <Banner tone="amber">A newer fee plan exists. Propose it again based on that one.</Banner>
        </DetailLead>
      )}
      <DetailSection title={`Changes to fee plan no. ${proposal.base_id}`}>
        {base && <ChangeList from={base.terms} to={proposal.terms} />}
      </DetailSection>
      <DetailSection title="Reason, published on the fee page">{proposal.reason}</DetailSection>
      {isWaiting && financeRoles.includes(role) && (
        <DetailSection title="Effect on the last session">
          <Stack gap={10} align="flex-start">
            <DryRun terms={proposal.terms} />
          </Stack>
        </DetailSection>
      )}
    </ApprovalDetail>
  );
}

type PlanDetailProps = {
  plan: FeePlan;
  /** The plan it is based on; undefined for the first. */
  before: FeePlan | undefined;
  onClose: () => void;
};

/** One fee plan and its changes. */
function PlanDetail({ plan, before, onClose }: PlanDetailProps) {
  return (
    <DetailPanel title={`No. ${plan.id}`} kind="Fee plan" badge={<PlanState plan={plan} />} onClose={onClose}>
      <DetailSection title="Published">{formatDateTime(plan.created_at)}</DetailSection>
      <DetailSection title="Reason">{plan.note}</DetailSection>
      <DetailSection title={before ? `Changes to fee plan no. ${before.id}` : 'Changes'}>
        {before ? <ChangeList from={before.terms} to={plan.terms} /> : 'This is the first fee plan.'}
      </DetailSection>
    </DetailPanel>
  );
}

const badgeStates = { current: 'open', next: 'queued', past: 'settled' } as const;
const words = { current: 'Current', next: 'Next session', past: 'Past' } as const;

const PlanState = ({ plan: { state } }: { plan: FeePlan }) => (
  <StateBadge of="trade" state={badgeStates[state]}>
    {words[state]}
  </StateBadge>
);
