import { Text } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { useState } from 'react';
import type { FundedPeriod } from '#contract/solvency/sheet.ts';
import { formatDate } from '../../ui/format/time.ts';
import { Segments } from '../../ui/forms/segments.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { feesOf, type Solvency } from './cover.ts';
import { periodWords } from './labels.ts';
import classes from './proof-panel.module.css';
import { SimulatedLabel } from './simulated-label.tsx';
import { TwoSides } from './two-sides.tsx';

const columns: readonly Column<FundedPeriod>[] = [
  { key: 'period', label: 'Period', render: (row) => <span className={classes.period}>{periodWords(row)}</span> },
  { key: 'fees', label: 'Fees collected', align: 'right', render: (row) => <Money value={feesOf(row)} /> },
  { key: 'gains', label: 'Gains', align: 'right', render: (row) => <Money value={row.gains} /> },
  { key: 'losses', label: 'Losses', align: 'right', render: (row) => <Money value={row.losses} /> },
  { key: 'incomes', label: 'Incomes paid', align: 'right', render: (row) => <Money value={row.incomes_total} /> },
  {
    key: 'pools',
    label: 'Pools',
    align: 'right',
    render: (row) => <SignedMoney value={row.pools_change} plain />,
  },
  { key: 'revenue', label: 'Revenue', align: 'right', render: (row) => <Money value={row.revenue} /> },
];

function RowOnMobile({ row }: { row: FundedPeriod }) {
  return (
    <div className={classes.row}>
      <div>
        <b>{periodWords(row)}</b>
        <Money value={row.incomes_total} />
      </div>
      <small>
        paid from <Money value={feesOf(row)} /> of fees · gains <Money value={row.gains} /> · losses{' '}
        <Money value={row.losses} />
      </small>
    </div>
  );
}

const views = [
  { value: 'months', label: 'Months' },
  { value: 'sessions', label: 'Sessions' },
] as const;
type View = (typeof views)[number]['value'];

/** Proof of funded incomes: what was collected beside what was paid, since the first day and by period. */
export function ProofPanel({ solvency, query }: { solvency: Solvency; query: ListQuery }) {
  const [view, setView] = useState<View>('months');
  const { lifetime, simulated } = solvency;
  return (
    <>
      <Panel
        title={lifetime ? `Proof of funded incomes, since ${formatDate(lifetime.from)}` : 'Proof of funded incomes'}
        control={<SimulatedLabel simulated={simulated} />}
      >
        {lifetime && <TwoSides period={lifetime} />}
        <Text mt={16} c="dimmed" fz="xs" lh="16px">
          Every income of a team is a share of fees that were collected before, or comes from a pool that was filled
          from them. No deposit, and nothing a member has in trades or plans, can be paid out as somebody’s income: the
          ledger has no such movement.
        </Text>
      </Panel>
      <Panel
        title="By period"
        control={
          <>
            <Segments label="Period" options={views} value={view} onChange={setView} />
            <SimulatedLabel simulated={simulated} />
          </>
        }
        rule
        padded={false}
      >
        <DataTable
          label={view === 'months' ? 'Months' : 'Sessions'}
          columns={columns}
          rows={solvency[view]}
          rowKey={(row) => row.from}
          query={query}
          minHeight={240}
          mobileRow={(row) => <RowOnMobile row={row} />}
          opening={{
            name: (row) => `the incomes of ${periodWords(row)}`,
            render: (row) => (
              <div className={classes.detail}>
                <TwoSides period={row} />
              </div>
            ),
          }}
          empty={{
            icon: <IconReceipt size={20} stroke={1.5} />,
            title: 'No fees collected yet',
            text: 'When trades open and settle, their fees and what was paid of them are listed here.',
          }}
        />
      </Panel>
    </>
  );
}
