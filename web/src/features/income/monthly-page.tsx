import { IconCalendarMonth } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import type { income, MonthlyLine } from '#contract/income.ts';
import { call } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { Coverage } from '../../entities/income/coverage.tsx';
import { incomeWords, rankWords } from '../../entities/income/labels.ts';
import { MonthlyRanks } from '../../entities/income/monthly-ranks.tsx';
import { monthsQuery } from '../../entities/income/queries.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { formatMonth, formatShortWeekday, formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { CsvExport } from '../../ui/table/csv-export.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { MobileRow } from '../../ui/table/mobile-row.tsx';
import { useCursorPaging } from '../../ui/table/use-cursor-paging.ts';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import classes from './income.module.css';
import { IncomePage, shareFacts } from './income-page.tsx';
import { reasonWords } from './labels.ts';
import { MonthSource } from './month-source.tsx';
import { PaidBadge } from './paid-badge.tsx';

const { name } = incomeWords.monthly;

const rankOf = ({ rank }: Pick<MonthlyLine, 'rank'>): string => (rank === null ? '–' : rankWords[rank]);

const columns: readonly Column<MonthlyLine>[] = [
  {
    key: 'month',
    label: 'Month',
    render: (line) => <b className={classes.name}>{formatMonth(line.period)}</b>,
    csv: (line) => line.period,
  },
  { key: 'rank', label: 'Rank', render: rankOf, csv: ({ rank }) => rank && rankWords[rank] },
  {
    key: 'volume',
    label: 'Volume that counts',
    align: 'right',
    render: (line) => <Money value={line.volume} decimals={2} />,
    csv: (line) => line.volume,
  },
  {
    key: 'nominal',
    label: 'Before scaling',
    align: 'right',
    render: (line) => <Money value={line.nominal} />,
    csvLabel: 'Nominal',
    csv: (line) => line.nominal,
  },
  {
    key: 'paid',
    label: 'Paid',
    align: 'right',
    render: (line) => (
      <>
        <b className={classes.paid}>
          <Money value={line.paid} />
        </b>
        <Coverage value={line.coverage} />
      </>
    ),
    csv: (line) => line.paid,
  },
  { key: 'held', label: 'Held', csv: (line) => (line.held ? 'yes' : 'no') },
  { key: 'coverage', label: 'Coverage', csv: (line) => line.coverage },
  { key: 'why', label: 'Why nothing', csv: ({ reason }) => reason && reasonWords[reason].sentence },
  { key: 'state', label: 'State', render: (line) => <PaidBadge line={line} short="Scaled" /> },
];

function RowOnMobile({ line }: { line: MonthlyLine }) {
  return (
    <MobileRow>
      <span>
        {formatMonth(line.period)}
        <Money value={line.paid} />
      </span>
      <span>
        <small>
          {line.rank !== null && `${rankWords[line.rank]} · `}
          <Money value={line.volume} decimals={2} /> counts
        </small>
        <PaidBadge line={line} short="Scaled" />
      </span>
    </MobileRow>
  );
}

/** The monthly pool by rank: what each month paid, how far this one has come, and what each rank takes. */
export function MonthlyPage() {
  const paging = useCursorPaging();
  const months = useQuery(monthsQuery(paging.cursor));
  return (
    <IncomePage
      name={name}
      facts={shareFacts}
      download={
        <CsvExport
          fileName="monthly-income.csv"
          columns={columns}
          readPage={(query, signal) => call(endpoints.income.listMonthly, { query, signal })}
        />
      }
    >
      <Figures months={months.data} />
      <Panel
        title={name}
        rule
        padded={false}
        className={classes.listed}
        control="A share of the trade fees of all members, paid by rank from the monthly pool."
        foot="Months are calendar months, UTC. A month without trade fees pays nothing."
      >
        <DataTable
          label={name}
          columns={columns}
          rows={months.data?.items}
          rowKey={(line) => line.id}
          query={months}
          minHeight={280}
          mobileRow={(line) => <RowOnMobile line={line} />}
          opening={{ name: (line) => formatMonth(line.period), render: (line) => <MonthSource id={line.id} /> }}
          paging={paging.pagingOf(months.data)}
          empty={{
            icon: <IconCalendarMonth size={20} stroke={1.5} />,
            title: 'No month yet',
            text: 'Each month in which your team trades is listed here, with what it paid or why it paid nothing.',
          }}
        />
      </Panel>
      {months.data && <MonthlyRanks ranks={months.data.ranks} coverages={months.data.coverages} />}
    </IncomePage>
  );
}

function Figures({ months }: { months: DataOf<typeof income.listMonthly> | undefined }) {
  const now = months?.current;
  return (
    <FigureStrip>
      <Figure label="Lifetime" foot="paid into your Profit Wallet">
        <Money value={months?.lifetime} />
      </Figure>
      <Figure label="Rank so far" foot={now && (now.active ? formatMonth(now.period) : 'you are not active')}>
        {now === undefined ? '–' : now.rank === null ? 'None yet' : rankWords[now.rank]}
      </Figure>
      <Figure label="Your team volume so far" foot={now && countsNote(now)}>
        <Money value={now?.team_volume} decimals={2} />
      </Figure>
      <Figure label="This month’s pool so far" foot="shared by all ranks of all members">
        <Money value={now?.pool} />
      </Figure>
      <Figure label="Next payment" foot={now && `${formatTime(now.pays_at)} UTC, market time`}>
        {now ? formatShortWeekday(now.pays_at) : '–'}
      </Figure>
    </FigureStrip>
  );
}

const countsNote = ({ next, volume }: DataOf<typeof income.listMonthly>['current']) =>
  next === null
    ? `${formatMoney(volume, 2)} counts`
    : `${formatMoney(next.reached, 2)} of ${formatMoney(next.required, 2)} counts for ${rankWords[next.rank]}`;
