import { Button } from '@mantine/core';
import { IconCalendarMonth } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DataOf } from '#contract/endpoint.ts';
import { income } from '#contract/endpoints.ts';
import type { MonthlyLine } from '#contract/income.ts';
import { call } from '../../api/call.ts';
import { plural, t } from '../../api/texts.ts';
import { formatRate, rankLabels } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { formatMonth } from '../../ui/format/time.ts';
import { column, moneyColumn } from '../../ui/table/columns.tsx';
import { type Column, MobileRow, useCursorPaging } from '../../ui/table/data-table.tsx';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import {
  awaited,
  contributedNote,
  coverageText,
  IncomePage,
  NextPayment,
  PaidBadge,
  paidColumns,
  reasonLabels,
  shareFacts,
} from './income-page.tsx';
import { MiniTable } from './mini-table.tsx';
import { MonthlyRanks } from './monthly-ranks.tsx';
import { monthQuery, monthsQuery } from './queries.ts';
import { MemberName, paidStep, Source, SourceSection, type Step, Steps, TransferList } from './source.tsx';

const columns: readonly Column<MonthlyLine>[] = [
  column(t`Month`, (line) => formatMonth(line.period), { csv: (line) => line.period }),
  column(t`Rank`, ({ rank }) => (rank === null ? '–' : rankLabels[rank]), {
    csv: ({ rank }) => rank && rankLabels[rank],
  }),
  moneyColumn(t`Counted volume`, (line) => line.volume, { decimals: 2 }),
  moneyColumn(t`Contributed part`, (line) => line.contributed),
  moneyColumn(t`Nominal`, (line) => line.nominal),
  ...paidColumns,
  column(t`State`, (line) => <PaidBadge line={line} partly={partlyOf(line)} />),
];

const scaled = (factor: string) => t`Scaled ${factor}`;
const limited = (factor: string) => t`Limited ${factor}`;
/** Below nominal because of the member's own contribution or, where all are scaled alike, the pool's balance. */
const partlyOf = ({ contributed }: MonthlyLine) => (contributed === null ? scaled : limited);

const RowOnMobile = ({ line }: { line: MonthlyLine }) => (
  <MobileRow>
    <span>
      {formatMonth(line.period)}
      <Money value={line.paid} />
    </span>
    <span>
      <small>
        {line.rank !== null && `${rankLabels[line.rank]} · `}
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
      readPage={(query, signal) => call(income.listMonthly, { query, signal })}
      columns={columns}
      query={months}
      minHeight={280}
      mobileRow={(line) => <RowOnMobile line={line} />}
      expandable={{
        label: (line) => t`Calculation of ${formatMonth(line.period)}`,
        render: (line) => <MonthSource id={line.id} />,
      }}
      paging={paging}
      empty={{
        icon: IconCalendarMonth,
        title: t`No months yet`,
        text: t`Each month in which your team trades is listed here, with the amount paid or the reason why nothing was.`,
      }}
    >
      {months.data && <MonthlyRanks ranks={months.data.ranks} coverages={months.data.coverages} />}
    </IncomePage>
  );
}

const monthNote = (now: CurrentMonth | undefined): string =>
  [
    t`Months are calendar months, UTC. A month without trade fees pays nothing.`,
    LEG,
    now && mostOfLeg(formatRate(now.leg_cap)),
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
      <Figure
        label={t`Rank so far`}
        foot={awaited(now?.active === false ? t`You are not active` : formatMonth(now?.period ?? '2026-01'), now)}
      >
        {now === undefined ? '–' : now.rank === null ? t`None yet` : rankLabels[now.rank]}
      </Figure>
      <Figure label={t`Your team volume so far`} foot={awaited(countedNote(now ?? usual), now)}>
        <Money value={now?.team_volume} decimals={2} />
      </Figure>
      <Figure label={t`Monthly pool so far`} foot={t`From the trade fees of all members`}>
        <Money value={now?.pool} />
      </Figure>
      <NextPayment at={now?.pays_at} />
    </FigureStrip>
  );
}

type CurrentMonth = DataOf<typeof income.listMonthly>['current'];

/** Placeholder of the same height. */
const usual: Pick<CurrentMonth, 'next' | 'volume'> = {
  next: { rank: 'bronze', reached: 1000, required: 5000 },
  volume: 0,
};

const countedNote = ({ next, volume }: Pick<CurrentMonth, 'next' | 'volume'>) =>
  next === null
    ? t`${formatMoney(volume, 2)} counted`
    : t`${formatMoney(next.reached, 2)} of ${formatMoney(next.required, 2)} counted for ${rankLabels[next.rank]}`;

const LEG = t`A leg is a direct referral and everybody below, down to your level 10.`;
const mostOfLeg = (share: string) => t`One leg counts for at most ${share} of the volume of a rank.`;

const LEGS_STEP = 10;

type ExplainedMonth = DataOf<typeof income.explainMonth>;

/** How a month's income follows from the team's volume and the leg rule. */
function MonthSource({ id }: { id: string }) {
  const query = useQuery(monthQuery(id));
  return (
    <Source query={query} data={query.data}>
      {(month) => (
        <>
          <Steps steps={stepsOf(month)} foot={t`A month without trade fees pays nothing.`} />
          <Legs month={month} />
          <TransferList transfers={month.transfers} isHeld={month.line.held} />
        </>
      )}
    </Source>
  );
}

/** The largest first, ten at a time. */
function Legs({ month: { legs, legs_total: total } }: { month: ExplainedMonth }) {
  const [shown, setShown] = useState(LEGS_STEP);
  return (
    <SourceSection title={t`Your legs`}>
      <MiniTable
        label={t`Your legs`}
        head={[t`Leg`, t`Volume`, t`Counted`]}
        rows={legs.slice(0, shown).map((leg) => ({
          key: leg.id,
          cells: [
            <MemberName key="leg" member={leg} />,
            <Money key="volume" value={leg.volume} decimals={2} />,
            <Money key="counted" value={leg.counted} decimals={2} />,
          ],
        }))}
      />
      {shown < legs.length && (
        <Button mt="sm" size="sm" variant="default" onClick={() => setShown(shown + LEGS_STEP)}>
          {t`Show more`}
        </Button>
      )}
      {total > legs.length && shown >= legs.length && (
        <Note mt={12}>{t`The ${legs.length} largest of ${plural(total, { one: '# leg', other: '# legs' })}.`}</Note>
      )}
    </SourceSection>
  );
}

function stepsOf(month: ExplainedMonth): Step[] {
  const { line } = month;
  const steps: Step[] = [
    {
      title: t`Volume of your team, levels 1 to 10`,
      value: <Money value={month.team_volume} decimals={2} />,
      note: LEG,
    },
    {
      title: t`Counted under the leg rule`,
      value: <Money value={line.volume} decimals={2} />,
      note: mostOfLeg(formatRate(month.leg_cap)),
    },
  ];
  if (line.reason !== null || line.rank === null || month.required === null) {
    const note = line.reason === null ? undefined : reasonLabels[line.reason].sentence;
    return [...steps, { title: t`No payment`, value: <Money value={0} />, note }];
  }
  const [total, pool] = [formatMoney(month.total), formatMoney(month.pool)];
  const reached: Step = {
    title: t`${rankLabels[line.rank]} reached`,
    value: t`up to ${formatMoney(month.up_to, 2)}`,
    note: t`Requires ${formatMoney(month.required, 2)}`,
  };
  if (line.contributed !== null)
    return [
      ...steps,
      reached,
      {
        title: t`Your contributed part`,
        value: <Money value={line.contributed} />,
        note: t`${contributedNote} Who reached a rank qualifies.`,
      },
      {
        title: t`The smaller of the two`,
        value: <Money value={line.paid} />,
        note: t`The pool has ${pool}. What nobody gets of it is retained.`,
      },
      paidStep(line),
    ];
  return [
    ...steps,
    reached,
    {
      title: t`Contribution of your rank volume to the pool`,
      value: <Money value={month.contributed} />,
      note: t`Nobody gets back more than this.`,
    },
    {
      title: t`The smaller of the two`,
      value: <Money value={line.nominal} />,
      note:
        line.scale < 1
          ? t`All members together ${total}, with ${pool} in the pool: scaled to ${coverageText(line.scale)}.`
          : t`All members together ${total}, with ${pool} in the pool.`,
    },
    paidStep(line),
  ];
}
