import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DataOf } from '#contract/endpoint.ts';
import type { income } from '#contract/income.ts';
import { coverageText } from '../../entities/income/coverage.tsx';
import { rankWords, rateWords } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { CodeText } from '../../ui/text/code-text.tsx';
import { Money } from '../../ui/text/money.tsx';
import { countOf, reasonWords } from './labels.ts';
import classes from './members.module.css';
import { MiniTable } from './mini-table.tsx';
import { monthQuery } from './queries.ts';
import { Source, SourceSection } from './source.tsx';
import { heldStep, paidNote, type Step, Steps } from './steps.tsx';
import { TransferList } from './transfer-list.tsx';

const LEGS_STEP = 10;

type ExplainedMonth = DataOf<typeof income.explainMonth>;

/** A month from the team's volume and the leg rule down to the member's own income. */
export function MonthSource({ id }: { id: string }) {
  const query = useQuery(monthQuery(id));
  return (
    <Source query={query} data={query.data}>
      {(month) => (
        <>
          <SourceSection title="Where this came from">
            <Steps steps={stepsOf(month)} foot="A month without trade fees pays nothing." />
          </SourceSection>
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
    <SourceSection title="Your legs">
      <MiniTable
        label="Your legs"
        head={['Leg', 'Volume', 'Counts for']}
        rows={legs.slice(0, shown).map((leg) => ({
          key: leg.id,
          cells: [
            <span key="leg" className={classes.member}>
              {leg.name} <CodeText>{leg.referral_code}</CodeText>
            </span>,
            <Money key="volume" value={leg.volume} decimals={2} />,
            <Money key="counted" value={leg.counted} decimals={2} />,
          ],
        }))}
      />
      {shown < legs.length && (
        <Button className={classes.more} size="sm" variant="default" onClick={() => setShown(shown + LEGS_STEP)}>
          Show more
        </Button>
      )}
      {total > legs.length && shown >= legs.length && (
        <Text mt={12} c="dimmed" fz="xs" lh="16px">
          The {legs.length} largest of {countOf(total, 'leg')}.
        </Text>
      )}
    </SourceSection>
  );
}

function stepsOf(month: ExplainedMonth): Step[] {
  const { line } = month;
  const steps: Step[] = [
    {
      title: 'Volume of your team, levels 1 to 10',
      value: <Money value={month.team_volume} decimals={2} />,
      note: 'a leg is a direct referral and everybody below, to your level 10',
    },
    {
      title: 'Of this, counted under the leg rule',
      value: <Money value={line.volume} decimals={2} />,
      note: `one leg counts for at most ${rateWords(month.leg_cap)} of what a rank takes`,
    },
  ];
  if (line.reason !== null || line.rank === null || month.required === null) {
    const sentence = line.reason === null ? undefined : reasonWords[line.reason].sentence;
    return [...steps, { title: 'Nothing was paid', value: <Money value={0} />, note: sentence }];
  }
  return [
    ...steps,
    {
      title: `${rankWords[line.rank]} was reached`,
      value: <>up to {formatMoney(month.up_to, 2)}</>,
      note: `it takes ${formatMoney(month.required, 2)}`,
    },
    {
      title: 'What the rank’s own volume put into the pool',
      value: <Money value={month.contributed} />,
      note: 'nobody gets back more than this',
    },
    {
      title: 'The smaller of the two',
      value: <Money value={line.nominal} />,
      note: `all members together ${formatMoney(month.total)}, of ${formatMoney(month.pool)} in the pool${
        line.scale < 1 ? `: all are scaled to ${coverageText(line.scale)}` : ''
      }`,
    },
    line.held
      ? heldStep(<Money value={line.paid} />)
      : {
          title: line.paid === 0 ? 'Nothing was paid' : 'Paid into your Profit Wallet',
          value: <Money value={line.paid} />,
          note: paidNote(line),
        },
  ];
}
