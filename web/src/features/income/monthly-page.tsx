import { IconCalendarMonth } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import type { income, MonthlyLine } from '#contract/income.ts';
import { call } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { t } from '../../api/texts.ts';
import { rankWords } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { formatMonth, formatShortWeekday, formatTime } from '../../ui/format/time.ts';
import type { Column } from '../../ui/table/data-table.tsx';
import { MobileRow } from '../../ui/table/mobile-row.tsx';
import { useCursorPaging } from '../../ui/table/use-cursor-paging.ts';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { IncomePage, PaidAmount, PaidBadge, shareFacts } from './income-page.tsx';
import { reasonWords } from './labels.ts';
import { MonthSource } from './month-source.tsx';
import { MonthlyRanks } from './monthly-ranks.tsx';
import { monthsQuery } from './queries.ts';

const columns: readonly Column<MonthlyLine>[] = [
  { key: 'month', label: t`Month`, render: (line) => formatMonth(line.period), csv: (line) => line.period },
  {
    key: 'rank',
    label: t`Rank`,
    render: ({ rank }) => (rank === null ? '–' : rankWords[rank]),
    csv: ({ rank }) => rank && rankWords[rank],
  },
  {
    key: 'volume',
    label: t`Counted volume`,
    align: 'right',
    render: (line) => <Money value={line.volume} decimals={2} />,
    csv: (line) => line.volume,
  },
  {
    key: 'contributed',
    label: t`Contributed part`,
    align: 'right',
    render: (line) => <Money value={line.contributed} />,
    csv: (line) => line.contributed,
  },
  {
    key: 'nominal',
    label: t`Nominal`,
    align: 'right',
    render: (line) => <Money value={line.nominal} />,
    csv: (line) => line.nominal,
  },
  {
    key: 'paid',
    label: t`Paid`,
    align: 'right',
    render: (line) => <PaidAmount amount={line.paid} coverage={line.coverage} />,
    csv: (line) => line.paid,
  },
  { key: 'held', label: t`Held`, csv: (line) => (line.held ? t`yes` : t`no`) },
  { key: 'coverage', label: t`Coverage`, csv: (line) => line.coverage },
  { key: 'why', label: t`Reason`, csv: ({ reason }) => reason && reasonWords[reason].sentence },
  { key: 'state', label: t`State`, render: (line) => <PaidBadge line={line} partly={partlyOf(line)} /> },
];

const scaled = (factor: string) => t`Scaled ${factor}`;
const limited = (factor: string) => t`Limited ${factor}`;
/** Less than nominal is what one contributed, or where all are scaled alike what the pool had. */
const partlyOf = ({ contributed }: MonthlyLine) => (contributed === null ? scaled : limited);

const RowOnMobile = ({ line }: { line: MonthlyLine }) => (
  <MobileRow>
    <span>
      {formatMonth(line.period)}
      <Money value={line.paid} />
    </span>
    <span>
      <small>
        {line.rank !== null && `${rankWords[line.rank]} · `}
        {t`${formatMoney(line.volume, 2)} counted`}
      </small>
      <PaidBadge line={line} partly={partlyOf(line)} />
    </span>
  </MobileRow>
);

/** The monthly pool by rank: what each month paid, the month so far, and what each rank requires. */
export function MonthlyPage() {
  const paging = useCursorPaging();
  const months = useQuery(monthsQuery(paging.cursor));
  return (
    <IncomePage
      kind="monthly"
      facts={shareFacts(t`By rank, up to what your team’s trade fees put into the monthly pool.`)}
      figures={<Figures months={months.data} />}
      title={t`By month`}
      foot={monthNote(months.data?.current)}
      fileName="monthly-income.csv"
      readPage={(query, signal) => call(endpoints.income.listMonthly, { query, signal })}
      columns={columns}
      rows={months.data?.items}
      query={months}
      minHeight={280}
      mobileRow={(line) => <RowOnMobile line={line} />}
      opening={{
        label: (line) => t`Calculation of ${formatMonth(line.period)}`,
        render: (line) => <MonthSource id={line.id} />,
      }}
      paging={paging.pagingOf(months.data)}
      empty={{
        icon: <IconCalendarMonth size={20} stroke={1.5} />,
        title: t`No months yet`,
        text: t`Each month in which your team trades is listed here, with the amount paid or the reason why nothing was.`,
      }}
    >
      {months.data && <MonthlyRanks ranks={months.data.ranks} coverages={months.data.coverages} />}
    </IncomePage>
  );
}

const monthNote = (now: DataOf<typeof income.listMonthly>['current'] | undefined): string =>
  [
    t`Months are calendar months, UTC. A month without trade fees pays nothing.`,
    now?.counted_once === false && t`This month still scales all payments alike if the pool is short.`,
  ]
    .filter(Boolean)
    .join(' ');

function Figures({ months }: { months: DataOf<typeof income.listMonthly> | undefined }) {
  const now = months?.current;
  return (
    <FigureStrip>
      <Figure label={t`Lifetime`} foot={t`Paid into your Profit Wallet`}>
        <Money value={months?.lifetime} />
      </Figure>
      <Figure label={t`Rank so far`} foot={now && (now.active ? formatMonth(now.period) : t`You are not active`)}>
        {now === undefined ? '–' : now.rank === null ? t`None yet` : rankWords[now.rank]}
      </Figure>
      <Figure label={t`Your team volume so far`} foot={now && countedNote(now)}>
        <Money value={now?.team_volume} decimals={2} />
      </Figure>
      <Figure label={t`Monthly pool so far`} foot={t`From the trade fees of all members`}>
        <Money value={now?.pool} />
      </Figure>
      <Figure label={t`Next payment`} foot={now && t`${formatTime(now.pays_at)} UTC, market time`}>
        {now ? formatShortWeekday(now.pays_at) : '–'}
      </Figure>
    </FigureStrip>
  );
}

const countedNote = ({ next, volume }: DataOf<typeof income.listMonthly>['current']) =>
  next === null
    ? t`${formatMoney(volume, 2)} counted`
    : t`${formatMoney(next.reached, 2)} of ${formatMoney(next.required, 2)} counted for ${rankWords[next.rank]}`;
