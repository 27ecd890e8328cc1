import { Button } from '@mantine/core';
import { IconGift } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import type { BonusKind, ExplainedBonus, IncomeKind, IncomeLine } from '#contract/income.ts';
import { plural, t } from '../../api/texts.ts';
import { formatBps, useCurrentTerms } from '../../entities/income/fees.ts';
import { formatRate, incomeLabels } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { formatDate } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { paths } from '../../ui/paths.ts';
import { column, fileColumn, moneyColumn, rightColumn, usdHead } from '../../ui/table/columns.tsx';
import { type Column, MobileRow, useCursorPaging } from '../../ui/table/data-table.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { Day } from '../../ui/text/text.tsx';
import { Coverage, EarningsFigures, IncomePage, PaidAmount, reasonLabels, shareFacts } from './income-page.tsx';
import { MiniTable } from './mini-table.tsx';
import { bonusQuery, linesQuery, readLines } from './queries.ts';
import { MemberName, paidStep, Source, SourceSection, type Step, Steps, TransferList } from './source.tsx';

export const ReferralBonusPage = () => <BonusPage kind="referral" of="referral" />;
export const TeamLevelBonusPage = () => <BonusPage kind="level" of="level" />;
export const TeamProfitPage = () => <BonusPage kind="team-profit" of="team_profit" />;

type BonusLabels = {
  from: string;
  fees: string;
  levels: string;
  feesOf: string;
  paidBy: (level: number) => string;
  none: string;
};

/** What each level's bonus is a share of. */
const bonusLabels: Record<BonusKind, BonusLabels> = {
  referral: {
    from: t`A share of the trade fees that your direct referrals paid.`,
    fees: t`Trade fees`,
    levels: t`Of the trade fees, level 1`,
    feesOf: t`Trade fees of all members`,
    paidBy: () => t`Paid by your direct referrals`,
    none: t`When a direct referral trades, your share of the trade fee is listed here.`,
  },
  level: {
    from: t`A share of the trade fees that levels 2 to 10 of your team paid.`,
    fees: t`Trade fees`,
    levels: t`Of the trade fees, levels 2 to 10`,
    feesOf: t`Trade fees of all members`,
    paidBy: (level) => t`Paid by level ${level} of your team`,
    none: t`When levels 2 to 10 of your team trade, your share of the trade fees is listed here.`,
  },
  'team-profit': {
    from: t`A share of the performance fees that levels 1 to 3 of your team paid.`,
    fees: t`Performance fees`,
    levels: t`Of the performance fees, levels 1 to 3`,
    feesOf: t`Performance fees of all members`,
    paidBy: (level) => t`Paid by level ${level} of your team`,
    none: t`When levels 1 to 3 of your team pay performance fees on gains, your share is listed here.`,
  },
};

const columnsOf = (kind: BonusKind): readonly Column<IncomeLine>[] => [
  column(t`Session`, (line) => <Day on={line.session} />, { csv: (line) => line.session }),
  {
    key: 'level',
    label: t`Level`,
    // The referral bonus is always level 1.
    ...(kind !== 'referral' && { render: (line: IncomeLine) => t`Level ${String(line.level)}` }),
    csv: (line) => line.level,
  },
  moneyColumn(t`Volume`, (line) => line.volume, { decimals: 2 }),
  moneyColumn(bonusLabels[kind].fees, (line) => line.fees, { csvLabel: t`Fees` }),
  rightColumn(t`Your share`, (line) => formatRate(line.rate), {
    csvLabel: t`Your share in percent`,
    csv: (line) => line.rate,
  }),
  rightColumn(t`Paid`, (line) => <PaidAmount {...line} />, {
    csvLabel: usdHead(t`Paid`),
    csv: (line) => line.amount,
  }),
  fileColumn(t`Coverage`, (line) => line.coverage),
  fileColumn(t`Paid at`, (line) => line.created_at),
];

const RowOnMobile = ({ line, kind }: { line: IncomeLine; kind: BonusKind }) => (
  <MobileRow>
    <span>
      {formatDate(line.session)}
      <Money value={line.amount} />
    </span>
    <span>
      <small>
        {kind !== 'referral' && `${t`Level ${String(line.level)}`} · `}
        {t`${formatRate(line.rate)} of ${formatMoney(line.fees)}`}
      </small>
      <Coverage value={line.coverage} />
    </span>
  </MobileRow>
);

/** The bonus of each session by level; every line expands into the trades it comes from. */
function BonusPage({ kind, of }: { kind: BonusKind; of: IncomeKind }) {
  const paging = useCursorPaging();
  const lines = useQuery(linesQuery(kind, paging.cursor));
  const words = bonusLabels[kind];
  return (
    <IncomePage
      kind={of}
      facts={shareFacts(words.from)}
      figures={
        <EarningsFigures kind={of}>
          <ShareFigure kind={kind} />
        </EarningsFigures>
      }
      title={t`By session`}
      fileName={`${kind}.csv`}
      readPage={(query, signal) => readLines(kind, query, signal)}
      columns={columnsOf(kind)}
      query={lines}
      mobileRow={(line) => <RowOnMobile line={line} kind={kind} />}
      expandable={{
        label: (line) => t`Calculation of ${formatDate(line.session)}, level ${String(line.level)}`,
        render: (line) => <BonusSource kind={kind} id={line.id} />,
      }}
      paging={paging}
      empty={{
        icon: IconGift,
        title: t`No ${incomeLabels[of].name} yet`,
        text: `${words.none} ${t`A session without fees pays nothing.`}`,
        action: <Button component={Link} to={paths.referralTeam} variant="default">{t`View your invitation`}</Button>,
      }}
    />
  );
}

/** The current rates, from the first to the last level of this bonus. */
function ShareFigure({ kind }: { kind: BonusKind }) {
  const terms = useCurrentTerms();
  const shares = terms && sharesOf(kind, terms);
  const [first, last] = [shares?.at(0), shares?.at(-1)];
  return (
    <Figure label={t`Your share now`} foot={bonusLabels[kind].levels}>
      {first === undefined || last === undefined
        ? '–'
        : first === last
          ? formatBps(first)
          : t`${formatBps(first)} to ${formatBps(last)}`}
    </Figure>
  );
}

function sharesOf(kind: BonusKind, { level_bps: levels, team_profit_bps: profits }: FeePlanTerms): readonly number[] {
  if (kind === 'team-profit') return profits;
  return kind === 'referral' ? levels.slice(0, 1) : levels.slice(1);
}

/** A bonus line with the members whose trades it comes from, and the transfer that paid it. */
function BonusSource({ kind, id }: { kind: BonusKind; id: string }) {
  const query = useInfiniteQuery(bonusQuery(kind, id));
  const pages = query.data?.pages;
  return (
    <Source query={query} data={pages?.[0]}>
      {(bonus) => (
        <>
          <Steps steps={stepsOf(bonus)} foot={t`A session without fees pays nothing.`} />
          <SourceSection
            title={plural(bonus.contributors.total ?? 0, {
              one: 'From # contributing member',
              other: 'From # contributing members',
            })}
          >
            <MiniTable
              label={t`Contributing members`}
              head={[t`Member`, t`Volume`, t`Fees`]}
              rows={(pages ?? []).flatMap(({ contributors }) =>
                contributors.items.map((member) => ({
                  key: member.id,
                  cells: [
                    <MemberName key="member" member={member} />,
                    <Money key="volume" value={member.volume} decimals={2} />,
                    <Money key="fees" value={member.fees} />,
                  ],
                })),
              )}
            />
            {query.hasNextPage && (
              <BusyButton
                mt="sm"
                size="sm"
                variant="default"
                busy={query.isFetchingNextPage}
                busyLabel={t`Loading`}
                onClick={() => query.fetchNextPage()}
              >
                {t`Show more`}
              </BusyButton>
            )}
          </SourceSection>
          {bonus.levels.length > 1 && <LevelsSection bonus={bonus} />}
          <TransferList transfers={bonus.transfers} note={transferNotes[kind]} />
        </>
      )}
    </Source>
  );
}

const transferNotes: Record<BonusKind, string | undefined> = {
  referral: undefined,
  level: t`One transfer a session pays levels 2 to 10 together, rounded down once.`,
  'team-profit': t`One transfer a session pays levels 1 to 3 together, rounded down once.`,
};

function stepsOf({ kind, line, levels, ...bonus }: ExplainedBonus): Step[] {
  const traders = levels.find(({ level }) => level === line.level)?.traders ?? 0;
  const words = bonusLabels[kind];
  return [
    {
      title: words.feesOf,
      value: <Money value={bonus.session_fees} />,
      note: t`Session of ${formatDate(line.session)}`,
    },
    ...(bonus.execution_cost === 0
      ? []
      : [
          {
            title: t`Execution cost`,
            value: <Money value={bonus.execution_cost} />,
            note: t`What the session’s orders cost at the exchange is paid from the fees first; every share is of what is left.`,
          },
        ]),
    {
      title: words.paidBy(line.level ?? 1),
      value: <Money value={line.fees} />,
      note: t`${plural(traders, { one: '# member', other: '# members' })} traded ${formatMoney(line.volume, 2)}`,
    },
    {
      title: t`Your share`,
      value: formatRate(line.rate),
      note: t`Fee plan ${bonus.fee_plan_id}, in force when the session opened`,
    },
    {
      title: t`You qualified`,
      value: t`Yes`,
      note:
        bonus.needed_directs === 0
          ? t`You traded in the 30 days to the session’s close; level 1 needs no more.`
          : t`You traded in the 30 days to the session’s close and had ${plural(bonus.active_directs, {
              one: '# active direct',
              other: '# active directs',
            })}, ${bonus.needed_directs} needed.`,
    },
    paidStep({ ...line, paid: line.amount, held: false }),
  ];
}

/** All levels of the session; those that paid nothing say why. */
const LevelsSection = ({ bonus }: { bonus: ExplainedBonus }) => (
  <SourceSection title={t`All levels of the session`}>
    <MiniTable
      label={t`All levels of the session`}
      head={[t`Level`, t`Volume`, t`Fees`, t`Share`, t`Paid`]}
      rows={bonus.levels.map((level) => ({
        key: String(level.level),
        off: level.reason !== null,
        cells: [
          level.level,
          <Money key="volume" value={level.volume} decimals={2} />,
          <Money key="fees" value={level.fees} />,
          formatRate(level.rate),
          level.reason === null ? (
            <Money key="amount" value={level.amount} />
          ) : level.reason === 'directs' ? (
            t`${bonus.active_directs} of ${level.level} active directs`
          ) : (
            reasonLabels[level.reason].short
          ),
        ],
      }))}
    />
  </SourceSection>
);
