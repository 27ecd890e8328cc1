import { Box, Text } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { TeamOverview } from '#contract/team.ts';
import { Chart } from '../../ui/charts/chart.tsx';
import { type Picture, spreadTimes } from '../../ui/charts/chart-data.ts';
import { ChartFrame, LegendLine } from '../../ui/charts/chart-frame.tsx';
import { formatDate, formatDay } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { type GrowthPoint, joinedLately, toGrowthPoints } from './growth.ts';
import { settledOnly } from './settled-only.ts';

const HEIGHT = 174;
const MOST_TIMES = 4;

/** How the team grew, week by week. */
export function GrowthPanel({ overview }: { overview: TeamOverview }) {
  const points = useMemo(() => toGrowthPoints(overview.growth), [overview.growth]);
  const joined = joinedLately(points);
  const settled = settledOnly(overview);
  const number = (value: number | undefined) => value?.toLocaleString('en-US') ?? '–';
  return (
    <Panel title="Growth" control={<Text fz="xs">by week</Text>}>
      {points.length < 2 ? (
        <ListState icon={<IconChartLine size={20} stroke={1.5} />} title="No line yet">
          It gets one point each week: how many members there are, and how many of them trade.
        </ListState>
      ) : (
        <Growth points={points} />
      )}
      <Box mt={12} pt={8} style={{ borderTop: '1px solid var(--tw-line)' }}>
        <KeyValues
          rule
          items={[
            ...(joined ? [[`Joined since ${formatDay(joined.since)}`, number(joined.count)] as const] : []),
            ['No trade in 30 days', number(settled && settled.total_members - settled.active_members)],
          ]}
        />
      </Box>
    </Panel>
  );
}

function Growth({ points }: { points: readonly GrowthPoint[] }) {
  const picture = useMemo(() => pictureOf(points), [points]);
  return (
    <ChartFrame
      summary={summaryOf(points)}
      height={HEIGHT}
      legend={
        <>
          <LegendLine look="accent">Members</LegendLine>
          <LegendLine look="second">Active</LegendLine>
        </>
      }
      table={{
        heads: ['Week of', 'Members', 'Active'],
        rows: points
          .toReversed()
          .map(({ at, members, active }) => [
            formatDate(at),
            members.toLocaleString('en-US'),
            active.toLocaleString('en-US'),
          ]),
      }}
    >
      <Chart picture={picture} times={spreadTimes(points, MOST_TIMES).map(formatDay)} />
    </ChartFrame>
  );
}

const pictureOf = (points: readonly GrowthPoint[]): Picture => ({
  panes: [
    {
      height: HEIGHT,
      lines: [
        { look: 'second', points: points.map(({ at, active }) => ({ at, value: active })) },
        { look: 'accent', points: points.map(({ at, members }) => ({ at, value: members })) },
      ],
      marks: points.slice(-1).map(({ at, members }) => ({ at, value: members, text: '', look: 'end' })),
      includes: [0],
      step: 1,
      format: (value) => value.toLocaleString('en-US'),
    },
  ],
  spacing: 'time',
  axisWidth: 44,
});

function summaryOf(points: readonly GrowthPoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return 'Members of the team';
  const number = (value: number) => value.toLocaleString('en-US');
  return (
    `Team from ${formatDate(first.at)} to ${formatDate(last.at)}: from ${number(first.members)} to ` +
    `${number(last.members)} members, of whom active from ${number(first.active)} to ${number(last.active)}.`
  );
}
