import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DataOf } from '#contract/endpoint.ts';
import type { income } from '#contract/income.ts';
import { plural, t } from '../../api/texts.ts';
import { rankWords, rateWords } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { Money } from '../../ui/text/money.tsx';
import { contributedNote, coverageText, reasonWords } from './labels.ts';
import { MiniTable } from './mini-table.tsx';
import { monthQuery } from './queries.ts';
import { MemberName, Note, paidStep, Source, SourceSection, type Step, Steps, TransferList } from './source.tsx';

const LEGS_STEP = 10;

type ExplainedMonth = DataOf<typeof income.explainMonth>;

/** A month from the team's volume and the leg rule down to the member's own income. */
export function MonthSource({ id }: { id: string }) {
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
        <Note>{t`The ${legs.length} largest of ${plural(total, { one: '# leg', other: '# legs' })}.`}</Note>
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
      note: t`A leg is a direct referral and everybody below, down to your level 10.`,
    },
    {
      title: t`Counted under the leg rule`,
      value: <Money value={line.volume} decimals={2} />,
      note: t`One leg counts for at most ${rateWords(month.leg_cap)} of the volume of a rank.`,
    },
  ];
  if (line.reason !== null || line.rank === null || month.required === null) {
    const note = line.reason === null ? undefined : reasonWords[line.reason].sentence;
    return [...steps, { title: t`No payment`, value: <Money value={0} />, note }];
  }
  const [total, pool] = [formatMoney(month.total), formatMoney(month.pool)];
  const reached: Step = {
    title: t`${rankWords[line.rank]} reached`,
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
