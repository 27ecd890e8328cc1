import { IconChartLine } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { TeamOverview } from '#contract/team.ts';
import { ChartFrame, LegendLine } from '../../ui/charts/chart-frame.tsx';
import { HEIGHT, niceScale, WIDTH, yOf } from '../../ui/charts/chart-scale.ts';
import { formatDate, formatDay } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import classes from './growth-panel.module.css';
import { type GrowthPoint, growthPath, joinedLately, toGrowthPoints, weekTicks } from './growth-scale.ts';
import { settledOnly } from './settled-only.ts';

const PLOT_HEIGHT = 150;
const AXIS_HEIGHT = 24;
const LINES = 4;

/** How the team grew, week by week. */
export function GrowthPanel({ overview }: { overview: TeamOverview }) {
  const points = useMemo(() => toGrowthPoints(overview.growth), [overview.growth]);
  const joined = joinedLately(points);
  const settled = settledOnly(overview);
  const number = (value: number | undefined) => value?.toLocaleString('en-US') ?? '–';
  return (
    <Panel title="Growth" control={<span className={classes.aside}>by week</span>}>
      {points.length < 2 ? (
        <ListState icon={<IconChartLine size={20} stroke={1.5} />} title="No line yet">
          It gets one point each week: how many members there are, and how many of them trade.
        </ListState>
      ) : (
        <Chart points={points} />
      )}
      <div className={classes.facts}>
        <KeyValues
          rule
          items={[
            ...(joined ? [[`Joined since ${formatDay(joined.since)}`, number(joined.count)] as const] : []),
            ['No trade in 30 days', number(settled && settled.total_members - settled.active_members)],
          ]}
        />
      </div>
    </Panel>
  );
}

function Chart({ points }: { points: readonly GrowthPoint[] }) {
  const scale = niceScale([0, ...points.flatMap(({ members, active }) => [members, active])], LINES);
  const last = points.at(-1);
  return (
    <ChartFrame
      summary={summaryOf(points)}
      height={PLOT_HEIGHT + AXIS_HEIGHT}
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
      <div className={classes.picture}>
        <div className={classes.plot} style={{ height: PLOT_HEIGHT }}>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            {scale.ticks.map((tick) => (
              <path key={tick} d={`M0 ${yOf(tick, scale)}H${WIDTH}`} className={classes.grid} />
            ))}
            <path d={growthPath(points, 'active', scale)} className={classes.active} />
            <path d={growthPath(points, 'members', scale)} className={classes.members} />
          </svg>
          {last && <i className={classes.dot} data-of="active" style={{ top: `${yOf(last.active, scale)}%` }} />}
          {last && <i className={classes.dot} data-of="members" style={{ top: `${yOf(last.members, scale)}%` }} />}
          {/* Of few members the lines stand closer than one: half a member is no label. */}
          {scale.ticks.filter(Number.isInteger).map((tick) => (
            <span key={tick} className={classes.value} style={{ top: `${yOf(tick, scale)}%` }}>
              {tick.toLocaleString('en-US')}
            </span>
          ))}
        </div>
        <div className={classes.times} style={{ height: AXIS_HEIGHT }}>
          {weekTicks(points).map((at) => (
            <span key={at}>{formatDay(at)}</span>
          ))}
        </div>
      </div>
    </ChartFrame>
  );
}

function summaryOf(points: readonly GrowthPoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return 'Members of the team';
  const number = (value: number) => value.toLocaleString('en-US');
  return (
    `Team from ${formatDate(first.at)} to ${formatDate(last.at)}: from ${number(first.members)} to ` +
    `${number(last.members)} members, of whom active from ${number(first.active)} to ${number(last.active)}.`
  );
}
