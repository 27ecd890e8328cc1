import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { FeePlan } from '#contract/fee-plan.ts';
import type { FeePlanProposal } from '#contract/operator/fee-plans.ts';
import type { ProposalState } from '#contract/operator/proposals.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { listChanges } from '../../../entities/income/fee-changes.ts';
import { formatShortDateTime } from '../../../ui/format/time.ts';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Tabs } from '../../../ui/frame/tabs.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { ListFrame, useOpened } from '../kit/list-page.tsx';
import { DeskError, DeskLoading, ListTable, useList } from '../kit/list-table.tsx';
import { isProposalState, proposalStates } from '../kit/proposals.ts';
import { useQueueCounts } from '../shell/queries.ts';
import { stateWords } from './decision-labels.ts';
import { Editor } from './editor.tsx';
import { PlanDetail } from './plan-detail.tsx';
import { PlanState } from './plan-state.tsx';
import { ProposalDetail } from './proposal-detail.tsx';
import { plansQuery, readProposals } from './queries.ts';
import { TermsForm } from './terms-form.tsx';

const LIST_POLL_MS = 15_000;

type View = 'terms' | ProposalState | 'plans';
const views: readonly View[] = ['terms', ...proposalStates, 'plans'];
const viewWords: Record<View, string> = { terms: 'Terms', ...stateWords, plans: 'History' };

/**
 * The fee plan: what it says, what an admin proposes instead, and what a second one approves (docs/product.md,
 * section 6).
 */
export function FeePlansPage() {
  const operator = useOperator();
  const [search, setSearch] = useSearchParams();
  const { opened, open, close } = useOpened('fee-plans');
  const asked = search.get('view');
  // A link to one proposal leads to where those are that wait.
  const view = views.find((known) => known === asked) ?? (opened === undefined ? 'terms' : 'proposed');
  const counts = useQueueCounts();
  const query = useQuery(plansQuery);
  const plans = query.data?.items;
  const [decided, setDecided] = useState<FeePlanProposal>();
  const list = useList<FeePlanProposal>({
    queryKey: ['fee-plans', 'proposals', view],
    readPage: readProposals(isProposalState(view) ? view : 'proposed'),
    pollMs: LIST_POLL_MS,
    enabled: isProposalState(view),
  });
  const found = list.rows?.find(({ id }) => id === opened);
  // One that was decided leaves its list and stays open all the same.
  const proposal = found ?? (decided?.id === opened ? decided : undefined);
  const planIndex = view === 'plans' && plans ? plans.findIndex(({ id }) => id === opened) : -1;
  const plan = plans?.[planIndex];

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
          detail={
            isProposalState(view) && operator && proposal ? (
              <ProposalDetail
                key={proposal.id}
                proposal={proposal}
                plans={plans}
                operator={operator}
                onClose={close}
                onDecided={setDecided}
              />
            ) : (
              plan && <PlanDetail key={plan.id} plan={plan} before={plans[planIndex + 1]} onClose={close} />
            )
          }
        >
          <Tabs
            label="Plan"
            fill
            tabs={views.map((value) => ({
              value,
              label: viewWords[value],
              count: (value === 'proposed' && counts.fee_plans) || undefined,
            }))}
            value={view}
            onChange={(next) => setSearch(next === 'terms' ? {} : { view: next })}
          >
            {view === 'terms' && (
              <TermsView plans={plans} isAdmin={operator?.role === 'admin'} onProposed={({ id }) => open(id)} />
            )}
            {isProposalState(view) && (
              <ListTable
                key={view}
                label={`Proposed plans, ${stateWords[view].toLowerCase()}`}
                columns={proposalColumns(plans)}
                selected={proposal?.id}
                onOpen={(row) => open(row.id)}
                onClose={close}
                list={list}
                empty={{
                  icon: <IconPencil size={20} stroke={1.5} />,
                  title: view === 'proposed' ? 'Nothing waits for a second admin' : 'None yet',
                }}
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
                empty={{ icon: <IconPencil size={20} stroke={1.5} />, title: 'None yet' }}
              />
            )}
          </Tabs>
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

const proposalColumns = (plans: readonly FeePlan[]): readonly Column<FeePlanProposal>[] => [
  { key: 'at', label: 'Proposed, UTC', width: '124px', render: (row) => formatShortDateTime(row.proposed_at) },
  {
    key: 'reference',
    label: 'Reference',
    width: '116px',
    from: 'middle',
    render: (row) => <CodeText>{row.reference}</CodeText>,
  },
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
  { key: 'by', label: 'By', width: '140px', from: 'wide', render: (row) => row.proposed_by.name },
];

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
