import { Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import type { IncomeKind, MonthlyLine, WeeklyLine } from '#contract/income.ts';
import { t } from '../../api/texts.ts';
import { incomeLabels, isResult } from '../../entities/income/labels.ts';
import { formatPercent } from '../../ui/format/number.ts';
import { formatShortWeekday, formatTime } from '../../ui/format/time.ts';
import { Awaited, PageHead } from '../../ui/layout/page-head.tsx';
import { PageTabs } from '../../ui/layout/page-tabs.tsx';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { fileColumn, rightColumn, usdHead } from '../../ui/table/columns.tsx';
import { CsvExport } from '../../ui/table/csv-export.tsx';
import type { Column, DataTableProps, useCursorPaging } from '../../ui/table/data-table.tsx';
import { FaultPanel } from '../../ui/table/data-table-states.tsx';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { earningsQuery } from './queries.ts';

const order: readonly IncomeKind[] = [
  'referral',
  'level',
  'trade',
  'weekly',
  'monthly',
  'team_profit',
  'compounding',
  'reward',
];
const pages = order.map((kind) => ({ to: incomeLabels[kind].path, label: incomeLabels[kind].name }));

/** The pages of all incomes: the sidebar lists only the first two. */
export const IncomeTabs = () => <PageTabs label={t`Income`} pages={pages} />;

type IncomePageProps<Row> = {
  kind: IncomeKind;
  facts: string;
  figures: ReactNode;
  /** What the list holds. */
  title: string;
  foot?: string;
  fileName: string;
  readPage: ComponentProps<typeof CsvExport<Row>>['readPage'];
  query: UseQueryResult<{ items: Row[]; next_cursor: string | null }>;
  paging: ReturnType<typeof useCursorPaging>;
  /** Below the list. */
  children?: ReactNode;
} & Omit<DataTableProps<Row>, 'label' | 'rowKey' | 'rows' | 'query' | 'paging'>;

/** The common layout of income pages: heading, tabs, figures, and a list that can be exported. */
export function IncomePage<Row extends { id: string }>(props: IncomePageProps<Row>) {
  const { kind, facts, figures, title, foot, fileName, readPage, query, paging, children, ...table } = props;
  const { name } = incomeLabels[kind];
  const { items, next_cursor } = query.data ?? {};
  return (
    <>
      <PageHead title={name} facts={facts}>
        <CsvExport fileName={fileName} columns={table.columns} readPage={readPage} />
      </PageHead>
      <IncomeTabs />
      {figures}
      <TablePanel
        title={title}
        foot={foot}
        label={name}
        rows={items}
        rowKey={(row) => row.id}
        query={query}
        minHeight={400}
        // Without a `total`: where there is one, it is in dollars.
        paging={paging.pagingOf(items && { items, next_cursor: next_cursor ?? null })}
        {...table}
      />
      {children}
    </>
  );
}

/** The line below a figure reserves its room while loading, so that nothing shifts. */
export const awaited = (words: string, from: unknown) => <Awaited isThere={from !== undefined}>{words}</Awaited>;

/** Facts about a share of fees; results of trades are not paid from fees. */
export const shareFacts = (from: string): string => `${from} ${t`Paid from collected fees into your Profit Wallet.`}`;

const spans = [
  { span: 'lifetime', label: t`Lifetime`, foot: t`Since you joined` },
  { span: 'month', label: t`This month`, foot: t`Market time` },
  { span: 'week', label: t`This week`, foot: t`Since Monday` },
  { span: 'today', label: t`Today`, foot: t`Market day, UTC` },
] as const;

/** The sums of one income by market day, week and month. */
export function EarningsFigures({ kind, children }: { kind: IncomeKind; children?: ReactNode }) {
  const earnings = useQuery(earningsQuery);
  const sums = earnings.data?.kinds.find((entry) => entry.kind === kind);
  return earnings.isError && !earnings.data ? (
    <FaultPanel query={earnings} />
  ) : (
    <FigureStrip>
      {spans.map(({ span, label, foot }) => (
        <Figure key={span} label={label} foot={foot}>
          {isResult(kind) ? <SignedMoney value={sums?.[span]} /> : <Money value={sums?.[span]} />}
        </Figure>
      ))}
      {children}
    </FigureStrip>
  );
}

/** `coverageText(1) === '100%'`, `coverageText(0.8246) === '82.46%'`; anything less than 1 is at most 99.99%. */
export const coverageText = (value: number): string =>
  value === 1 ? '100%' : formatPercent(Math.min(value * 100, 99.99));

/** The share of an income that was paid; nothing where there was nothing to pay. */
export const Coverage = ({ value }: { value: number | null }) =>
  value !== null && <small>{t`Coverage ${coverageText(value)}`}</small>;

/** The amount paid, and its share of the nominal income. */
export const PaidAmount = ({ amount, coverage }: { amount: number; coverage: number | null }) => (
  <>
    <Text span inherit fw={500}>
      <Money value={amount} />
    </Text>
    <Coverage value={coverage} />
  </>
);

type Reason = NonNullable<WeeklyLine['reason'] | MonthlyLine['reason']>;

/** Why nothing was paid: in short, and as a sentence. */
export const reasonLabels: Record<Reason, { short: string; sentence: string }> = {
  company: { short: t`Company`, sentence: t`The company takes no income.` },
  closed: { short: t`Closed`, sentence: t`The account is closed.` },
  inactive: { short: t`Not active`, sentence: t`You had no settled trade in the 30 days before.` },
  directs: { short: t`Too few directs`, sentence: t`Too few of your direct referrals were active.` },
  rank: { short: t`No rank`, sentence: t`No rank was reached.` },
};

/** The source of a contributed part. */
export const contributedNote = t`What your levels 1 to 10 contributed to the pool, each trader’s part split evenly between all who qualify above that trader.`;

/** The next payment of a pool. */
export const NextPayment = ({ at }: { at: string | undefined }) => (
  <Figure label={t`Next payment`} foot={awaited(t`${formatTime(at ?? 0)} UTC, market time`, at)}>
    {at === undefined ? '–' : formatShortWeekday(at)}
  </Figure>
);

type PaidLine = Pick<WeeklyLine | MonthlyLine, 'reason' | 'paid' | 'held' | 'coverage'>;

/** What a week or month paid, and what its file adds. */
export const paidColumns: readonly Column<PaidLine>[] = [
  rightColumn(t`Paid`, (line) => <PaidAmount amount={line.paid} coverage={line.coverage} />, {
    csvLabel: usdHead(t`Paid`),
    csv: (line) => line.paid,
  }),
  fileColumn(t`Held`, (line) => (line.held ? t`yes` : t`no`)),
  fileColumn(t`Coverage`, (line) => line.coverage),
  fileColumn(t`Reason`, ({ reason }) => reason && reasonLabels[reason].sentence),
];

type PaidBadgeProps = {
  line: PaidLine;
  /** What an income below nominal is called: a week is capped, a month is scaled. */
  partly: (factor: string) => string;
};

/** The state of a week or month: paid, held, partly paid, or nothing with the reason. */
export function PaidBadge({ line: { reason, paid, held, coverage }, partly }: PaidBadgeProps) {
  const nothing = reason === null ? paid === 0 && t`Nothing to pay` : reasonLabels[reason].short;
  if (nothing) {
    return (
      <StateBadge of="income" state="locked">
        {nothing}
      </StateBadge>
    );
  }
  if (held) return <StateBadge of="income" state="held" />;
  const factor = coverage !== null && coverage < 1 ? Math.min(coverage, 0.99).toFixed(2) : undefined;
  return factor ? (
    <StateBadge of="income" state="scaled">
      {partly(factor)}
    </StateBadge>
  ) : (
    <StateBadge of="income" state="paid" />
  );
}
