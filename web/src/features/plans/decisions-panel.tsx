import { IconListDetails } from '@tabler/icons-react';
import type { PlanDecision } from '#contract/trading/plan.ts';
import { formatDate, formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import classes from './decisions-panel.module.css';
import { usePages } from './use-pages.ts';

const PAGE_SIZE = 10;

const When = ({ at }: { at: string }) => (
  <span className={classes.when}>
    {formatDate(at)}, {formatTime(at)}
  </span>
);

const columns: readonly Column<PlanDecision>[] = [
  { key: 'at', label: 'When, UTC', render: ({ at }) => <When at={at} />, width: '1%' },
  { key: 'words', label: 'What and why', render: ({ words }) => words },
];

/** What the strategy decided, the newest first, each with its reason: also when it did not trade. */
export function DecisionsPanel({ decisions, query }: { decisions: readonly PlanDecision[]; query: ListQuery }) {
  const { shown, paging } = usePages(decisions, PAGE_SIZE);
  return (
    <Panel title="Decisions" rule padded={false}>
      <DataTable
        label="Decisions"
        columns={columns}
        rows={shown}
        rowKey={({ at, reason }) => `${at} ${reason}`}
        query={query}
        dense
        minHeight={160}
        paging={paging}
        mobileRow={({ at, words }) => (
          <>
            <small className={classes.narrow}>
              <When at={at} /> UTC
            </small>
            {words}
          </>
        )}
        empty={{
          icon: <IconListDetails size={20} stroke={1.5} />,
          title: 'No decision yet',
          text: 'In a session the strategy decides every 15 minutes. Each decision is listed with its reason.',
        }}
      />
    </Panel>
  );
}
