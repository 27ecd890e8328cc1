import { Flex, Text } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import type { Trade } from '#contract/trading/trade.ts';
import { ChartFrame } from '../../ui/charts/chart-frame.tsx';
import { ResultBars } from '../../ui/charts/result-bars.tsx';
import { formatSignedMoney } from '../../ui/format/money.ts';
import { formatDate, formatDay } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { ListState } from '../../ui/table/list-state.tsx';
import { SignedMoney } from '../../ui/text/money.tsx';
import { negativeMembers } from './negative-members.ts';
import classes from './realised-panel.module.css';

type DayResult = Portfolio['realised_by_day'][number];

const SHOWN_DAYS = 30;
const HEIGHT = 112;

/** Realised results by session: up or down from zero, losses with the same weight as gains. */
export function RealisedPanel({ portfolio }: { portfolio: Portfolio }) {
  const days = portfolio.realised_by_day.toSorted((a, b) => a.day.localeCompare(b.day)).slice(-SHOWN_DAYS);
  const { best, worst, negative_members: negative } = portfolio.totals;
  const sessions = days.length === 1 ? '1 session' : `${days.length} sessions`;
  return (
    <Panel
      title="Realised by session"
      control={
        <Text span inherit c="dimmed" fz="xs">
          {sessions}
        </Text>
      }
      padded={false}
      foot={negativeMembers(negative)}
    >
      <Flex direction="column" h="100%">
        <div className={classes.body}>
          {days.length === 0 ? (
            <ListState icon={<IconChartBar size={20} stroke={1.5} />} title="Nothing realised yet">
              Each session in which your trades settle adds a bar, up or down.
            </ListState>
          ) : (
            <ChartFrame
              summary={summaryOf(days)}
              height={HEIGHT}
              legend={`${formatDay(days[0]?.day ?? '')} to ${formatDay(days.at(-1)?.day ?? '')}`}
              table={{
                heads: ['Day', 'Trades', 'Result'],
                rows: days
                  .toReversed()
                  .map((day) => [formatDate(day.day), day.trades, <SignedMoney key="result" value={day.result} />]),
              }}
            >
              <ResultBars results={days.map(({ day, result }) => ({ key: day, result }))} barWidth={12} />
            </ChartFrame>
          )}
        </div>
        {best && worst && (
          <div className={classes.extremes}>
            <Extreme word="Best" trade={best} />
            <Extreme word="Worst" trade={worst} />
          </div>
        )}
      </Flex>
    </Panel>
  );
}

const Extreme = ({ word, trade }: { word: string; trade: Trade }) => (
  <div>
    <span>
      {word}, {trade.symbol}
      {trade.closed_at !== null && ` ${formatDay(trade.closed_at)}`}
    </span>
    <b>
      <Link className={classes.extreme} to={paths.trade(trade.id)}>
        <SignedMoney value={trade.result} />
      </Link>
    </b>
  </div>
);

function summaryOf(days: readonly DayResult[]): string {
  const up = days.filter(({ result }) => result > 0).length;
  const down = days.filter(({ result }) => result < 0).length;
  const words = `Realised result of ${days.length} sessions: ${up} up, ${down} down.`;
  const byResult = days.toSorted((a, b) => a.result - b.result);
  const [worst, best] = [byResult[0], byResult.at(-1)];
  if (!worst || !best) return words;
  const of = ({ day, result }: DayResult) => `${formatSignedMoney(result, 2)} on ${formatDate(day)}`;
  return `${words} Best ${of(best)}, worst ${of(worst)}.`;
}
