import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import type { income } from '#contract/income.ts';
import { t } from '../../api/texts.ts';
import { formatRate, incomeLabels, rankLabels } from '../../entities/income/labels.ts';
import { formatCount, formatMoney } from '../../ui/format/number.ts';
import { formatMonth } from '../../ui/format/time.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { FaultPanel } from '../../ui/table/data-table-states.tsx';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { Paragraph } from '../../ui/text/paragraph.tsx';
import { IncomeTabs, shareFacts } from './income-page.tsx';
import { Ladder } from './ladder.tsx';
import { MonthlyRanks } from './monthly-ranks.tsx';
import { monthsQuery, rewardsQuery } from './queries.ts';

type Rewards = DataOf<typeof income.listRewards>;

/** The ranks with this month's progress, and which were reached, claimed and paid. */
export function RewardsPage() {
  const query = useQuery(rewardsQuery);
  const { data: months } = useQuery(monthsQuery());
  const rewards = query.data;
  return (
    <>
      <PageHead
        title={incomeLabels.reward.name}
        facts={shareFacts(t`One reward for each rank, from the rewards pool.`)}
      />
      <IncomeTabs />
      <FaultPanel query={query} />
      <Figures rewards={rewards} />
      {rewards && (
        <Panel
          title={t`Ranks`}
          rule
          padded={false}
          control={
            <Text span size="xs">
              {t`${formatMonth(rewards.period)}, levels 1 to 10`}
            </Text>
          }
        >
          <Ladder rewards={rewards} />
          <Paragraph maw={760} px={{ base: 'md', sm: 20 }} py={14}>
            {legRule(rewards)}
          </Paragraph>
        </Panel>
      )}
      {/* Not above what it would move. */}
      {months && !query.isPending && <MonthlyRanks ranks={months.ranks} coverages={months.coverages} />}
    </>
  );
}

function Figures({ rewards }: { rewards: Rewards | undefined }) {
  const reached = rewards?.ranks.filter(({ state }) => state !== 'locked').length;
  return (
    <FigureStrip>
      <Figure label={t`Your team volume this month`} foot={t`Levels 1 to 10`}>
        <Money value={rewards?.volume} decimals={2} />
      </Figure>
      <Figure label={t`Ranks reached`} foot={rewards && t`Of ${rewards.ranks.length}, in any month so far`}>
        {reached ?? '–'}
      </Figure>
      <Figure label={t`Rewards pool`} foot={t`Available for rewards`}>
        <Money value={rewards?.pool} />
      </Figure>
      <Figure
        label={t`Claims in the queue`}
        foot={
          rewards &&
          (rewards.waiting === 0 ? t`No claims waiting` : t`${formatMoney(rewards.waiting_amount, 2)} in total`)
        }
      >
        {rewards ? formatCount(rewards.waiting) : '–'}
      </Figure>
    </FigureStrip>
  );
}

/** The leg rule worked out with a rank's numbers. */
function legRule({ leg_cap: cap, ranks }: Rewards): string {
  const example = ranks.find(({ state }) => state === 'locked') ?? ranks.at(-1);
  return [
    t`The volume of one month counts. A leg is a direct referral and everybody below, down to your level 10. One leg counts for at most ${formatRate(cap)} of the volume of a rank.`,
    example &&
      t`For ${rankLabels[example.rank]} that is ${formatMoney((example.required * cap) / 100, 2)} of ${formatMoney(example.required, 2)}. A reward is never more than your contributed part of what that month put into the rewards pool. Of several ranks reached in one month, the highest pays.`,
  ]
    .filter(Boolean)
    .join(' ');
}
