import { Box, Flex } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import { t } from '../../api/texts.ts';
import { Chart } from '../../ui/charts/chart.tsx';
import type { ChartLine, ChartPane, ChartSpec } from '../../ui/charts/chart-data.ts';
import { ChartFrame, LegendLine } from '../../ui/charts/chart-frame.tsx';
import { formatMoney, formatSignedMoney } from '../../ui/format/number.ts';
import { formatAxisDays, formatDate, formatDateTime, formatTime } from '../../ui/format/time.ts';
import { Segments } from '../../ui/forms/segments.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { type ListQuery, TableError } from '../../ui/table/data-table-states.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import {
  buyAndHoldLine,
  type EquityPoint,
  type EquityRange,
  equityRanges,
  inRange,
  netDepositSteps,
  netDepositsLine,
  netWorthLine,
  timeTicks,
  toEquityPoints,
} from './equity.ts';

const WORTH_HEIGHT = 168;
const RESULT_HEIGHT = 72;
/** The gap between the two panes. */
const GAP = 28;
const AXIS_HEIGHT = 24;
const MAX_NOTES = 2;
const DAY_MS = 86_400_000;

type EquityChartProps = {
  /** The portfolio's query: the chart itself shows loading, errors and stale data. */
  query: ListQuery & { data: Portfolio | undefined };
  range: EquityRange;
  /** Adds buy and hold, and the difference of the two lines as a pane of its own. */
  withResult?: boolean;
};

/** Net worth, always with the dashed line of net deposits: a deposit must never look like a gain. */
export function EquityChart({ query, range, withResult = false }: EquityChartProps) {
  const equity = query.data?.equity;
  const points = useMemo(() => inRange(toEquityPoints(equity ?? []), range), [equity, range]);
  const spec = useMemo(() => chartSpecOf(points, withResult), [points, withResult]);
  const height = WORTH_HEIGHT + AXIS_HEIGHT + (withResult ? GAP + RESULT_HEIGHT : 0);
  const last = points.at(-1);
  const hasHeld = points.some(({ held }) => held !== null);
  if (equity === undefined) {
    return (
      <Flex mih={height} aria-busy={!query.isError}>
        {query.isError && <TableError isList={false} query={query} />}
      </Flex>
    );
  }
  if (points.length < 2 || last === undefined) {
    return (
      <Flex mih={height}>
        <ListState
          icon={IconChartLine}
          title={t`No chart yet`}
        >{t`Each trading session adds a point: your net worth beside your net deposits.`}</ListState>
      </Flex>
    );
  }
  return (
    <ChartFrame
      summary={summaryOf(points, withResult)}
      height={height}
      legend={
        <>
          <LegendLine style="accent">{t`Net worth`}</LegendLine>
          <LegendLine style="dashed">{t`Net deposits`}</LegendLine>
          {withResult && hasHeld && <LegendLine style="dotted">{t`Buy and hold`}</LegendLine>}
          {withResult && <LegendLine style="plain">{t`P&L (net worth less net deposits)`}</LegendLine>}
        </>
      }
      table={{
        heads: [t`Time, UTC`, t`Net worth`, t`Net deposits`, t`P&L`, t`Drawdown`, t`Buy and hold`],
        rows: points
          .toReversed()
          .map(({ at, value, netDeposits, drawdown, held }) => [
            `${formatDate(at)}, ${formatTime(at)}`,
            <Money key="value" value={value} />,
            <Money key="netDeposits" value={netDeposits} />,
            <SignedMoney key="result" value={value - netDeposits} />,
            <Money key="drawdown" value={drawdown} />,
            <Money key="held" value={held} />,
          ]),
      }}
    >
      <Chart spec={spec} times={timesOf(points)} />
    </ChartFrame>
  );
}

export function EquityPanel({ query }: Pick<EquityChartProps, 'query'>) {
  const [range, setRange] = useState<EquityRange>('3M');
  return (
    <Panel
      title={t`Equity`}
      control={<Segments label={t`Period`} options={equityRanges} value={range} onChange={setRange} />}
    >
      <Box pt={12} h="100%" display="grid">
        <EquityChart query={query} range={range} withResult />
      </Box>
    </Panel>
  );
}

/** Net worth over net deposits; below it, in a pane of its own, the difference of the two. */
export function chartSpecOf(points: readonly EquityPoint[], withResult: boolean): ChartSpec {
  const last = points.at(-1);
  const steps = netDepositSteps(points);
  const held: ChartLine = { style: 'dotted', points: buyAndHoldLine(points) };
  const netDeposits: ChartLine = { style: 'dashed', points: netDepositsLine(points), isStepped: true };
  const worth: ChartLine = { style: 'accent', points: netWorthLine(points), isFilled: true };
  const named = steps.length <= MAX_NOTES ? steps : [];
  const worthPane: ChartPane = {
    height: WORTH_HEIGHT,
    lines: withResult ? [netDeposits, held, worth] : [netDeposits, worth],
    marks: [
      ...named.map(({ at, amount, middle }) => ({ at, value: middle, text: noteOf(amount), style: 'words' as const })),
      ...(last ? [{ at: last.at, value: last.value, text: '', style: 'end' as const }] : []),
    ],
    step: 0.01,
    format: plainLabel,
  };
  const resultPane: ChartPane = {
    height: GAP + RESULT_HEIGHT,
    lines: [
      { style: 'plain', points: points.map(({ at, value, netDeposits: before }) => ({ at, value: value - before })) },
    ],
    levels: [{ value: 0, label: '', style: 'plain' }],
    includes: [0],
    step: 0.01,
    format: signedLabel,
  };
  return { panes: withResult ? [worthPane, resultPane] : [worthPane], spacing: 'time', axisWidth: 64 };
}

function noteOf(amount: number): string {
  const dollars = formatMoney(Math.abs(amount), 'typed');
  return amount > 0 ? t`Deposited ${dollars}` : t`Withdrew ${dollars}`;
}

function timesOf(points: readonly EquityPoint[]): string[] {
  const span = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0);
  const ticks = timeTicks(points);
  return span < DAY_MS ? ticks.map(formatTime) : formatAxisDays(ticks);
}

/** Whole dollars where all values are whole. */
const plainLabel = (value: number) => formatMoney(value, 2).replace(/\.00$/, '');
const signedLabel = (value: number) => formatSignedMoney(value, 2).replace(/\.00$/, '');

function summaryOf(points: readonly EquityPoint[], withHeld: boolean): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return t`Net worth`;
  const change = t`Net worth, ${formatDateTime(first.at)} to ${formatDateTime(last.at)}: ${formatMoney(first.value, 2)} to ${formatMoney(last.value, 2)}.`;
  const pnl = t`Net deposits: ${formatMoney(last.netDeposits, 2)}. P&L: ${formatSignedMoney(last.value - last.netDeposits, 2)}.`;
  const held = withHeld && last.held !== null ? t`Buy and hold: ${formatMoney(last.held, 2)}.` : '';
  return [change, pnl, held].filter(Boolean).join(' ');
}
