import { IconCalendarWeek } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import { income } from '#contract/endpoints.ts';
import type { WeeklyLine } from '#contract/income.ts';
import { call } from '../../api/call.ts';
import { plural, t } from '../../api/texts.ts';
import { formatRate } from '../../entities/income/labels.ts';
import { formatMoney, formatPercent } from '../../ui/format/number.ts';
import { formatDays } from '../../ui/format/time.ts';
import { column, fileColumn, moneyColumn, rightColumn, usdHead } from '../../ui/table/columns.tsx';
import { type Column, MobileRow, useCursorPaging } from '../../ui/table/data-table.tsx';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, Percent } from '../../ui/text/money.tsx';
import {
  awaited,
  contributedNote,
  IncomePage,
  NextPayment,
  PaidBadge,
  paidColumns,
  reasonLabels,
  shareFacts,
} from './income-page.tsx';
import { MiniTable } from './mini-table.tsx';
import { weekQuery, weeksQuery } from './queries.ts';
import { paidStep, Source, SourceSection, type Step, Steps, TransferList } from './source.tsx';

const columns: readonly Column<WeeklyLine>[] = [
  column(
    t`Week`,
    (line) => (
      <>
        {line.week}
        <small>{formatDays(line.from, line.to)}</small>
      </>
    ),
    { csv: (line) => line.week },
  ),
  fileColumn(t`From`, (line) => line.from),
  fileColumn(t`To`, (line) => line.to),
  moneyColumn(t`Pool`, (line) => line.pool),
  moneyColumn(t`Your team volume`, (line) => line.volume, { decimals: 2 }),
  fileColumn(usdHead(t`Total qualifying volume`), (line) => line.qualifying_volume),
  moneyColumn(t`Contributed part`, (line) => line.contributed),
  rightColumn(t`Your share`, (line) => <Percent value={line.share} decimals={4} />, {
    csvLabel: t`Your share in percent`,
    csv: (line) => line.share,
  }),
  fileColumn(usdHead(t`Nominal`), (line) => line.nominal),
  ...paidColumns,
  column(t`State`, (line) => <PaidBadge line={line} partly={capped} />),
];

const capped = (factor: string) => t`Capped ${factor}`;

const RowOnMobile = ({ line }: { line: WeeklyLine }) => (
  <MobileRow>
    <span>
      {line.week}
      <Money value={line.paid} />
    </span>
    <span>
      <small>
        {formatDays(line.from, line.to)} ·{' '}
        {t`${formatPercent(line.share, { decimals: 4 })} of ${formatMoney(line.pool)}`}
      </small>
      <PaidBadge line={line} partly={capped} />
    </span>
  </MobileRow>
);

/** The weekly pool: what each week paid, and the week so far. */
export function WeeklyPage() {
  const paging = useCursorPaging();
  const weeks = useQuery(weeksQuery(paging.cursor));
  return (
    <IncomePage
      kind="weekly"
      facts={shareFacts(
        t`What your team’s trade fees put into the weekly pool, split evenly between all who qualify above each trader.`,
      )}
      figures={<Figures weeks={weeks.data} />}
      title={t`By week`}
      foot={poolNote(weeks.data?.current)}
      fileName="weekly-income.csv"
      readPage={(query, signal) => call(income.listWeekly, { query, signal })}
      columns={columns}
      query={weeks}
      mobileRow={(line) => <RowOnMobile line={line} />}
      expandable={{ label: (line) => t`Calculation of ${line.week}`, render: (line) => <WeekSource id={line.id} /> }}
      paging={paging}
      empty={{
        icon: IconCalendarWeek,
        title: t`No weeks yet`,
        text: t`Each week in which your team trades is listed here, with the amount paid or the reason why nothing was.`,
      }}
    />
  );
}

function Figures({ weeks }: { weeks: DataOf<typeof income.listWeekly> | undefined }) {
  const now = weeks?.current;
  return (
    <FigureStrip>
      <Figure
        label={t`Lifetime`}
        foot={awaited(plural(weeks?.weeks_paid ?? 1, { one: '# week paid', other: '# weeks paid' }), weeks)}
      >
        <Money value={weeks?.lifetime} />
      </Figure>
      <Figure label={t`Weekly pool so far`} foot={t`From the trade fees of all members`}>
        <Money value={now?.pool} />
      </Figure>
      <Figure label={t`Your team volume so far`} foot={t`Levels 1 to 10`}>
        <Money value={now?.volume} decimals={2} />
      </Figure>
      <Figure label={t`Qualifies`} foot={awaited(qualifiesNote(now ?? usual), now)}>
        {now === undefined ? '–' : now.qualifies ? t`Yes` : t`Not yet`}
      </Figure>
      <NextPayment at={now?.pays_at} />
    </FigureStrip>
  );
}

type CurrentWeek = DataOf<typeof income.listWeekly>['current'];

const poolNote = (now: CurrentWeek | undefined): string =>
  [
    t`Weeks run Monday to Sunday, UTC.`,
    now && t`One member gets at most ${formatRate(now.cap)} of the week’s contributions to the pool.`,
    now?.counted_once === false && t`This week still shares the whole pool in proportion to team volume.`,
    t`A week without trade fees pays nothing.`,
  ]
    .filter(Boolean)
    .join(' ');

/** Placeholder of the same height. */
const usual = { reason: null, active_directs: 3, needed_directs: 3 };

const qualifiesNote = (now: Pick<CurrentWeek, keyof typeof usual>) =>
  now.reason === 'inactive'
    ? t`No settled trade in 30 days`
    : t`${plural(now.active_directs, { one: '# active direct', other: '# active directs' })}, ${now.needed_directs} needed`;

type ExplainedWeek = DataOf<typeof income.explainWeek>;

/** How a week's income follows from the fees of all members. */
function WeekSource({ id }: { id: string }) {
  const query = useQuery(weekQuery(id));
  return (
    <Source query={query} data={query.data}>
      {(week) => (
        <>
          <Steps steps={stepsOf(week)} foot={t`A week without trade fees pays nothing.`} />
          <SourceSection title={t`Your team volume by level`}>
            <MiniTable
              label={t`Your team volume by level`}
              head={[t`Level`, t`Volume`, t`Share`]}
              rows={week.levels.map(({ level, volume }) => ({
                key: String(level),
                cells: [level, <Money key="volume" value={volume} decimals={2} />, shareOf(volume, week.line.volume)],
              }))}
            />
          </SourceSection>
          <TransferList transfers={week.transfers} isHeld={week.line.held} />
        </>
      )}
    </Source>
  );
}

/** `shareOf(1, 8) === '12.50%'`; no share of zero. */
const shareOf = (part: number, whole: number, decimals: 2 | 4 = 2): string =>
  formatPercent(whole === 0 ? null : (part / whole) * 100, { decimals });

const stepsOf = (week: ExplainedWeek): Step[] => [
  {
    title: t`Trade fees of all members, ${formatDays(week.line.from, week.line.to)}`,
    value: <Money value={week.trade_fees} />,
    note: t`${plural(week.sessions, { one: '# session', other: '# sessions' })}, ${formatMoney(week.trade_volume, 2)} traded`,
  },
  {
    title:
      week.trade_fees === 0
        ? t`None of them went into the weekly pool`
        : t`${shareOf(week.filled, week.trade_fees)} of them went into the weekly pool`,
    value: <Money value={week.filled} />,
    note: fillNote(week),
  },
  ownPart(week),
  paidStep(week.line),
];

function fillNote({ line, carried }: ExplainedWeek): string {
  if (line.contributed !== null)
    return carried === 0
      ? t`What nobody above a trader qualifies for is retained.`
      : t`What nobody above a trader qualifies for is retained, and so is ${formatMoney(carried)} left from the weeks before.`;
  return carried === 0
    ? t`Nothing was carried over from the weeks before.`
    : t`${formatMoney(carried)} was carried over from the weeks before: ${formatMoney(line.pool)} in the pool.`;
}

function ownPart({ line, filled, cap, capped }: ExplainedWeek): Step {
  if (line.reason !== null)
    return { title: t`You did not qualify`, value: '–', note: reasonLabels[line.reason].sentence };
  if (line.contributed !== null)
    return {
      title: t`Your contributed part`,
      value: <Money value={line.contributed} />,
      note: capped
        ? t`${contributedNote} Capped: one member gets at most ${formatRate(cap)} of ${formatMoney(filled)}.`
        : t`${contributedNote} Below the cap of ${formatRate(cap)}.`,
    };
  const [own, all] = [formatMoney(line.volume, 2), formatMoney(line.qualifying_volume, 2)];
  return {
    title: t`Your share of the qualifying volume`,
    value: shareOf(line.volume, line.qualifying_volume ?? 0, 4),
    note: capped
      ? t`${own} of ${all}. Capped: one member gets at most ${formatRate(cap)} of the pool.`
      : t`${own} of ${all}, below the cap of ${formatRate(cap)}.`,
  };
}
