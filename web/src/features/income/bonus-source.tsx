import { useInfiniteQuery } from '@tanstack/react-query';
import type { BonusKind, ExplainedBonus } from '#contract/income.ts';
import { plural, t } from '../../api/texts.ts';
import { rateWords } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { formatDate } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Money } from '../../ui/text/money.tsx';
import { bonusWords, reasonWords } from './labels.ts';
import { MiniTable } from './mini-table.tsx';
import { bonusQuery } from './queries.ts';
import { MemberName, paidStep, Source, SourceSection, type Step, Steps, TransferList } from './source.tsx';

/** A bonus line with the members whose trades it comes from, and the transfer that paid it. */
export function BonusSource({ kind, id }: { kind: BonusKind; id: string }) {
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
  level: t`One transfer a session pays levels 2 to 10 together.`,
  'team-profit': t`One transfer a session pays levels 1 to 3 together.`,
};

function stepsOf({ kind, line, levels, ...bonus }: ExplainedBonus): Step[] {
  const traders = levels.find(({ level }) => level === line.level)?.traders ?? 0;
  const words = bonusWords[kind];
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
      value: rateWords(line.rate),
      note: t`Fee plan ${bonus.fee_plan_id}, in force when the session opened`,
    },
    {
      title: t`You qualified`,
      value: t`Yes`,
      note:
        bonus.needed_directs === 0
          ? t`You traded in the 30 days before; level 1 needs no more.`
          : t`You traded in the 30 days before and had ${plural(bonus.active_directs, {
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
          rateWords(level.rate),
          level.reason === null ? (
            <Money key="amount" value={level.amount} />
          ) : level.reason === 'directs' ? (
            t`${bonus.active_directs} of ${level.level} active directs`
          ) : (
            reasonWords[level.reason].short
          ),
        ],
      }))}
    />
  </SourceSection>
);
