import { IconReceipt } from '@tabler/icons-react';
import { useState } from 'react';
import type { FundedPeriod } from '#contract/solvency/sheet.ts';
import { t } from '../../api/texts.ts';
import { formatDate } from '../../ui/format/time.ts';
import { Segments } from '../../ui/forms/segments.tsx';
import { ModeNote } from '../../ui/frame/mode-label.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import { type Column, MobileRow } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { usePages } from '../../ui/table/use-pages.ts';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { Trans } from '../../ui/text/text.tsx';
import { feesOf, type Solvency } from './cover.ts';
import { periodText } from './labels.ts';
import classes from './solvency.module.css';
import { TwoSides } from './two-sides.tsx';

const executionCost = rightColumn<FundedPeriod>(t`Execution cost`, (row) => <Money value={row.execution_cost} />);

const columns: readonly Column<FundedPeriod>[] = [
  column(t`Period`, (row) => <span className={classes.period}>{periodText(row)}</span>),
  rightColumn(t`Fees collected`, (row) => <Money value={feesOf(row)} />),
  executionCost,
  rightColumn(t`Gains`, (row) => <Money value={row.gains} />),
  rightColumn(t`Losses`, (row) => <Money value={row.losses} />),
  rightColumn(t`Incomes paid`, (row) => <Money value={row.incomes_total} />),
  rightColumn(t`Pools`, (row) => <SignedMoney value={row.pools_change} plain />),
  rightColumn(t`Revenue`, (row) => <Money value={row.revenue} />),
];

/** Paper mode has no execution: the column would be all zero. */
const columnsOf = (rows: readonly FundedPeriod[]): readonly Column<FundedPeriod>[] =>
  rows.some((row) => row.execution_cost > 0) ? columns : columns.filter((one) => one !== executionCost);

const RowOnMobile = ({ row }: { row: FundedPeriod }) => (
  <MobileRow>
    <span>
      {periodText(row)}
      <Money value={row.incomes_total} />
    </span>
    <small>
      <Trans
        text={t`paid from <money/> of fees · gains <money2/> · losses <money3/>`}
        money={<Money value={feesOf(row)} />}
        money2={<Money value={row.gains} />}
        money3={<Money value={row.losses} />}
      />
    </small>
  </MobileRow>
);

const views = [
  { value: 'months', label: t`Months` },
  { value: 'sessions', label: t`Sessions` },
] as const;
type View = (typeof views)[number]['value'];

/** A year, and the month so far. */
const MONTHS_SHOWN = 13;

/** Proof of funded incomes (docs/product.md, section 1), in total and by period. */
export function ProofPanel({ solvency, query }: { solvency: Solvency; query: ListQuery }) {
  const [view, setView] = useState<View>('months');
  const { lifetime, simulated } = solvency;
  const months = usePages(solvency.months, MONTHS_SHOWN, useState(0));
  return (
    <>
      <Panel
        title={lifetime ? t`Proof of funded incomes, since ${formatDate(lifetime.from)}` : t`Proof of funded incomes`}
        control={simulated && <ModeNote>{t`Simulated`}</ModeNote>}
      >
        {lifetime && <TwoSides period={lifetime} />}
        <Note
          mt={16}
        >{t`Every team income is a share of fees already collected, paid directly or from a pool that those fees funded. The ledger has no transfer from members’ deposits, trades or plans to another member’s income.`}</Note>
      </Panel>
      <TablePanel
        title={t`By period`}
        control={
          <>
            <Segments label={t`Period`} options={views} value={view} onChange={setView} />
            {simulated && <ModeNote>{t`Simulated`}</ModeNote>}
          </>
        }
        label={view === 'months' ? t`Months` : t`Sessions`}
        columns={columnsOf(solvency[view])}
        rows={view === 'months' ? months.shown : solvency.sessions}
        paging={view === 'months' ? months.paging : undefined}
        rowKey={(row) => row.from}
        query={query}
        minHeight={240}
        mobileRow={(row) => <RowOnMobile row={row} />}
        expandable={{
          label: (row) => t`Incomes of ${periodText(row)}`,
          render: (row) => (
            <div className={classes.detail}>
              <TwoSides period={row} />
            </div>
          ),
        }}
        empty={{
          icon: IconReceipt,
          title: t`No fees collected yet`,
          text: t`Fees of trades and the incomes paid from them appear here.`,
        }}
      />
    </>
  );
}
