import { Box, Text } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { TeamOverview } from '#contract/team.ts';
import { t } from '../../api/texts.ts';
import { Chart } from '../../ui/charts/chart.tsx';
import { type ChartSpec, evenTimes } from '../../ui/charts/chart-data.ts';
import { ChartFrame, LegendLine } from '../../ui/charts/chart-frame.tsx';
import { formatCount } from '../../ui/format/number.ts';
import { formatAxisDays, formatDate, formatDay } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { countOf, settledOnly } from './team-labels.ts';

const HEIGHT = 174;
const MAX_TIMES = 4;

/** How the team grew, week by week. */
export function GrowthPanel({ overview }: { overview: TeamOverview }) {
  const points = useMemo(() => toGrowthPoints(overview.growth), [overview.growth]);
  const joined = joinedLately(points);
  const settled = settledOnly(overview);
  return (
    <Panel title={t`Growth`} control={<Text fz="xs">{t`By week`}</Text>}>
      {points.length < 2 ? (
        <ListState
          icon={IconChartLine}
          title={t`No chart yet`}
        >{t`The chart adds one point each week: members, and active members.`}</ListState>
      ) : (
        <Growth points={points} />
      )}
      <Box mt={12} pt={8} style={{ borderTop: '1px solid var(--tw-line)' }}>
        <KeyValues
          rule
          items={[
            joined && [t`Joined since ${formatDay(joined.since)}`, countOf(joined.count)],
            [t`No trade in 30 days`, countOf(settled && settled.total_members - settled.active_members)],
          ]}
        />
      </Box>
    </Panel>
  );
}

function Growth({ points }: { points: readonly GrowthPoint[] }) {
  const spec = useMemo(() => chartSpecOf(points), [points]);
  return (
    <ChartFrame
      summary={summaryOf(points)}
      height={HEIGHT}
      legend={
        <>
          <LegendLine style="accent">{t`Members`}</LegendLine>
          <LegendLine style="second">{t`Active`}</LegendLine>
        </>
      }
      table={{
        heads: [t`Week of`, t`Members`, t`Active`],
        rows: points
          .toReversed()
          .map(({ at, members, active }) => [formatDate(at), formatCount(members), formatCount(active)]),
      }}
    >
      <Chart spec={spec} times={formatAxisDays(evenTimes(points, MAX_TIMES))} />
    </ChartFrame>
  );
}

const chartSpecOf = (points: readonly GrowthPoint[]): ChartSpec => ({
  panes: [
    {
      height: HEIGHT,
      lines: [
        { style: 'second', points: points.map(({ at, active }) => ({ at, value: active })) },
        { style: 'accent', points: points.map(({ at, members }) => ({ at, value: members })) },
      ],
      marks: points.slice(-1).map(({ at, members }) => ({ at, value: members, text: '', style: 'end' })),
      includes: [0],
      step: 1,
      format: (value) => formatCount(value),
    },
  ],
  spacing: 'time',
  axisWidth: 44,
});

function summaryOf(points: readonly GrowthPoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return t`Members of the team`;
  return t`Team from ${formatDate(first.at)} to ${formatDate(last.at)}: ${formatCount(first.members)} to ${formatCount(last.members)} members, ${formatCount(first.active)} to ${formatCount(last.active)} active.`;
}

type GrowthPoint = { readonly at: number; readonly members: number; readonly active: number };

const WEEK_MS = 7 * 86_400_000;

/** The points of the response in time order, times in milliseconds. */
export const toGrowthPoints = (growth: TeamOverview['growth']): GrowthPoint[] =>
  growth.map(({ week, members, active }) => ({ at: Date.parse(week), members, active })).sort((a, b) => a.at - b.at);

/**
 * Members who joined since the end of the week four weeks before the newest or, in a shorter history, since the end of
 * its first week. A point is dated by the Monday of its week and counts members at the end of it: 38 in the week of 2
 * Feb and 42 now, in that of 2 Mar, are 4 since 9 Feb. A single point says nothing.
 */
export function joinedLately(points: readonly GrowthPoint[]): { count: number; since: number } | null {
  const newest = points.at(-1);
  if (newest === undefined) return null;
  const before = points.findLast(({ at }) => at <= newest.at - 4 * WEEK_MS) ?? points[0];
  if (before === undefined || before === newest) return null;
  return { count: newest.members - before.members, since: before.at + WEEK_MS };
}
