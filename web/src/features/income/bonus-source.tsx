import { useInfiniteQuery } from '@tanstack/react-query';
import type { BonusKind, ExplainedBonus } from '#contract/income.ts';
import { rateWords } from '../../entities/income/labels.ts';
import { formatDate } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { CodeText } from '../../ui/text/code-text.tsx';
import { Money } from '../../ui/text/money.tsx';
import { bonusWords, countOf, reasonWords } from './labels.ts';
import classes from './members.module.css';
import { MiniTable } from './mini-table.tsx';
import { bonusQuery } from './queries.ts';
import { Source, SourceSection } from './source.tsx';
import { paidNote, type Step, Steps } from './steps.tsx';
import { TransferList } from './transfer-list.tsx';

/** A bonus line down to the trades of members it comes from, and to the transfer that paid it. */
export function BonusSource({ kind, id }: { kind: BonusKind; id: string }) {
  const query = useInfiniteQuery(bonusQuery(kind, id));
  const pages = query.data?.pages;
  return (
    <Source query={query} data={pages?.[0]}>
      {(bonus) => (
        <>
          <SourceSection title="Where this came from">
            <Steps steps={stepsOf(bonus)} foot="A session without fees pays nothing." />
          </SourceSection>
          <SourceSection title={`From whom: ${countOf(bonus.contributors.total ?? 0, 'member')}`}>
            <MiniTable
              label="From whom"
              head={['Member', 'Traded', 'Fees']}
              rows={(pages ?? []).flatMap(({ contributors }) =>
                contributors.items.map((member) => ({
                  key: member.id,
                  cells: [
                    <span key="member" className={classes.member}>
                      {member.name} <CodeText>{member.referral_code}</CodeText>
                    </span>,
                    <Money key="volume" value={member.volume} decimals={2} />,
                    <Money key="fees" value={member.fees} />,
                  ],
                })),
              )}
            />
            {query.hasNextPage && (
              <BusyButton
                className={classes.more}
                size="sm"
                variant="default"
                busy={query.isFetchingNextPage}
                busyLabel="Loading"
                onClick={() => query.fetchNextPage()}
              >
                Show more
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
  level: 'One transfer a session pays levels 2 to 10 together.',
  'team-profit': 'One transfer a session pays levels 1 to 3 together.',
};

function stepsOf({ kind, line, levels, ...bonus }: ExplainedBonus): Step[] {
  const { fees } = bonusWords[kind];
  const traders = levels.find(({ level }) => level === line.level)?.traders;
  const traded = <Money value={line.volume} decimals={2} />;
  return [
    {
      title: `${capital(fees)} of all members`,
      value: <Money value={bonus.session_fees} />,
      note: `session of ${formatDate(line.session)}`,
    },
    {
      title: kind === 'referral' ? 'Paid by your direct referrals' : `Paid by level ${line.level} of your team`,
      value: <Money value={line.fees} />,
      note: (
        <>
          {traders !== undefined && countOf(traders, 'member')} traded {traded}
        </>
      ),
    },
    {
      title: 'Your share of them',
      value: rateWords(line.rate),
      note: `fee plan ${bonus.fee_plan_id}, in force when the session opened`,
    },
    { title: 'You qualified', value: 'Yes', note: qualifiedNote(bonus) },
    {
      title: 'Paid into your Profit Wallet',
      value: <Money value={line.amount} />,
      note: paidNote(line),
    },
  ];
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

const qualifiedNote = ({
  active_directs,
  needed_directs,
}: Pick<ExplainedBonus, 'active_directs' | 'needed_directs'>) =>
  needed_directs === 0
    ? 'you traded in the 30 days before, and level 1 takes no more'
    : `you traded in the 30 days before and had ${countOf(active_directs, 'active direct')}, ${needed_directs} needed`;

/** All levels of the session, those that paid nothing with why. */
function LevelsSection({ bonus }: { bonus: ExplainedBonus }) {
  return (
    <SourceSection title="All levels of the session">
      <MiniTable
        label="All levels of the session"
        head={['Level', 'Traded', 'Fees', 'Share', 'Paid']}
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
              `${bonus.active_directs} of ${level.level} active directs`
            ) : (
              reasonWords[level.reason].short
            ),
          ],
        }))}
      />
    </SourceSection>
  );
}
