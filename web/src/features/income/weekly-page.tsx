import { IconCalendarWeek } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import type { income, WeeklyLine } from '#contract/income.ts';
import { call } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { Coverage } from '../../entities/income/coverage.tsx';
import { percentWords } from '../../entities/income/fee-lines.ts';
import { useCurrentTerms } from '../../entities/income/fee-terms.ts';
import { incomeWords } from '../../entities/income/labels.ts';
import { formatDays, formatShortWeekday, formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { CsvExport } from '../../ui/table/csv-export.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { MobileRow } from '../../ui/table/mobile-row.tsx';
import { useCursorPaging } from '../../ui/table/use-cursor-paging.ts';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, Percent } from '../../ui/text/money.tsx';
import classes from './income.module.css';
import { IncomePage, shareFacts } from './income-page.tsx';
import { countOf, reasonWords } from './labels.ts';
import { PaidBadge } from './paid-badge.tsx';
import { weeksQuery } from './queries.ts';
import { WeekSource } from './week-source.tsx';

const { name } = incomeWords.weekly;

const columns: readonly Column<WeeklyLine>[] = [
  {
    key: 'week',
    label: 'Week',
    render: (line) => (
      <>
        <b className={classes.name}>{line.week}</b>
        <small>{formatDays(line.from, line.to)}</small>
      </>
    ),
    csv: (line) => line.week,
  },
  { key: 'from', label: 'From', csv: (line) => line.from },
  { key: 'to', label: 'To', csv: (line) => line.to },
  {
    key: 'pool',
    label: 'Pool',
    align: 'right',
    render: (line) => <Money value={line.pool} />,
    csv: (line) => line.pool,
  },
  {
    key: 'volume',
    label: 'Your team volume',
    align: 'right',
    render: (line) => <Money value={line.volume} decimals={2} />,
    csv: (line) => line.volume,
  },
  {
    key: 'qualifying',
    label: 'All qualifying volume',
    align: 'right',
    render: (line) => <Money value={line.qualifying_volume} decimals={2} />,
    csv: (line) => line.qualifying_volume,
  },
  {
    key: 'share',
    label: 'Your share',
    align: 'right',
    render: (line) => <Percent value={line.share} decimals={4} />,
    csvLabel: 'Your share in percent',
    csv: (line) => line.share,
  },
  { key: 'nominal', label: 'Nominal', csv: (line) => line.nominal },
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
  { key: 'state', label: 'State', render: (line) => <PaidBadge line={line} short="Capped" /> },
];

function RowOnMobile({ line }: { line: WeeklyLine }) {
  return (
    <MobileRow>
      <span>
        {line.week}
        <Money value={line.paid} />
      </span>
      <span>
        <small>
          {formatDays(line.from, line.to)} · <Percent value={line.share} decimals={4} /> of <Money value={line.pool} />
        </small>
        <PaidBadge line={line} short="Capped" />
      </span>
    </MobileRow>
  );
}

/** The weekly pool: what each week paid, and how far this one has come. */
export function WeeklyPage() {
  const paging = useCursorPaging();
  const weeks = useQuery(weeksQuery(paging.cursor));
  const terms = useCurrentTerms();
  return (
    <IncomePage
      name={name}
      facts={shareFacts}
      download={
        <CsvExport
          fileName="weekly-income.csv"
          columns={columns}
          readPage={(query, signal) => call(endpoints.income.listWeekly, { query, signal })}
        />
      }
    >
      <Figures weeks={weeks.data} terms={terms} />
      <Panel
        title={name}
        rule
        padded={false}
        className={classes.listed}
        control={poolNote(terms)}
        foot="Weeks run Monday to Sunday, UTC. A week without trade fees pays nothing."
      >
        <DataTable
          label={name}
          columns={columns}
          rows={weeks.data?.items}
          rowKey={(line) => line.id}
          query={weeks}
          minHeight={400}
          mobileRow={(line) => <RowOnMobile line={line} />}
          opening={{ name: (line) => line.week, render: (line) => <WeekSource id={line.id} /> }}
          paging={paging.pagingOf(weeks.data)}
          empty={{
            icon: <IconCalendarWeek size={20} stroke={1.5} />,
            title: 'No week yet',
            text: 'Each week in which your team trades is listed here, with what it paid or why it paid nothing.',
          }}
        />
      </Panel>
    </IncomePage>
  );
}

type FiguresProps = { weeks: DataOf<typeof income.listWeekly> | undefined; terms: FeePlanTerms | undefined };

function Figures({ weeks, terms }: FiguresProps) {
  const now = weeks?.current;
  return (
    <FigureStrip>
      <Figure label="Lifetime" foot={weeks && `${countOf(weeks.weeks_paid, 'week')} paid`}>
        <Money value={weeks?.lifetime} />
      </Figure>
      <Figure
        label="This week’s pool so far"
        foot={terms && `${percentWords(terms.weekly_bps)} of trade fees since Monday`}
      >
        <Money value={now?.pool} />
      </Figure>
      <Figure label="Your team volume so far" foot="levels 1 to 10">
        <Money value={now?.volume} decimals={2} />
      </Figure>
      <Figure label="Qualifies" foot={now && qualifiesNote(now)}>
        {now === undefined ? '–' : now.qualifies ? 'Yes' : 'Not yet'}
      </Figure>
      <Figure label="Next payment" foot={now && `${formatTime(now.pays_at)} UTC, market time`}>
        {now ? formatShortWeekday(now.pays_at) : '–'}
      </Figure>
    </FigureStrip>
  );
}

const poolNote = (terms: FeePlanTerms | undefined): string => {
  const rule = 'A share of the trade fees of all members, divided in proportion to team volume';
  return terms === undefined
    ? `${rule}.`
    : `${rule}; nobody gets over ${percentWords(terms.weekly_cap_bps)} of the pool.`;
};

const qualifiesNote = (now: DataOf<typeof income.listWeekly>['current']) =>
  now.reason === 'inactive'
    ? 'no settled trade in 30 days'
    : `${countOf(now.active_directs, 'active direct')}, ${now.needed_directs} needed`;
