import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import type { income } from '#contract/income.ts';
import { IncomeTabs } from '../../entities/income/income-tabs.tsx';
import { rankWords, rateWords } from '../../entities/income/labels.ts';
import { MonthlyRanks } from '../../entities/income/monthly-ranks.tsx';
import { monthsQuery } from '../../entities/income/queries.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { formatMonth } from '../../ui/format/time.ts';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { StaleLine, TableError } from '../../ui/table/data-table-states.tsx';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { Words } from '../../ui/text/words.tsx';
import { Ladder } from './ladder.tsx';
import { rewardsQuery } from './queries.ts';

type Rewards = DataOf<typeof income.listRewards>;

/** The ranks with how far this month has come, and what was reached, claimed and paid. */
export function RewardsPage() {
  const query = useQuery(rewardsQuery);
  const { data: months } = useQuery(monthsQuery());
  const rewards = query.data;
  return (
    <>
      <PageHead
        title="Rewards"
        facts="Once in a lifetime for each rank; paid from the rewards pool, a share of the trade fees of all members"
      />
      <IncomeTabs />
      {query.isError && (
        <Panel padded={false}>{rewards ? <StaleLine query={query} /> : <TableError query={query} />}</Panel>
      )}
      <Figures rewards={rewards} />
      {rewards && (
        <Panel
          title="Ranks"
          rule
          padded={false}
          control={
            <Text span size="xs">
              {formatMonth(rewards.period)}, levels 1 to 10
            </Text>
          }
        >
          <Ladder rewards={rewards} />
          <Words maw={760} px={{ base: 'md', sm: 20 }} py={14}>
            {legRule(rewards)}
          </Words>
        </Panel>
      )}
      {months && <MonthlyRanks ranks={months.ranks} coverages={months.coverages} />}
    </>
  );
}

function Figures({ rewards }: { rewards: Rewards | undefined }) {
  const reached = rewards?.ranks.filter(({ state }) => state !== 'locked').length;
  return (
    <FigureStrip>
      <Figure label="Your team volume this month" foot="levels 1 to 10">
        <Money value={rewards?.volume} decimals={2} />
      </Figure>
      <Figure label="Ranks reached" foot={rewards && `of ${rewards.ranks.length}, in any month so far`}>
        {reached ?? '–'}
      </Figure>
      <Figure label="Rewards pool" foot="what is there to pay from">
        <Money value={rewards?.pool} />
      </Figure>
      <Figure
        label="Claims in line"
        foot={
          rewards && (rewards.waiting === 0 ? 'nobody waits' : `${formatMoney(rewards.waiting_amount, 2)} together`)
        }
      >
        {rewards ? rewards.waiting.toLocaleString('en-US') : '–'}
      </Figure>
    </FigureStrip>
  );
}

/** The leg rule with the numbers of a rank, so that nobody has to work it out. */
function legRule({ leg_cap: cap, ranks }: Rewards): string {
  const rule = `The volume of one month counts. A leg is a direct referral and everybody below, to your level 10; of any rank one leg counts for at most ${rateWords(cap)}`;
  const example = ranks.find(({ state }) => state === 'locked') ?? ranks.at(-1);
  if (example === undefined) return `${rule}.`;
  const most = formatMoney((example.required * cap) / 100, 2);
  return `${rule}: for ${rankWords[example.rank]}, ${most} of ${formatMoney(example.required, 2)}. A reward is never more than what the rank’s own volume put into the pool.`;
}
