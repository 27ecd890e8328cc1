import { IconChartLine } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import { ChartFrame, LegendLine } from '../../ui/charts/chart-frame.tsx';
import { HEIGHT, niceScale, type Scale, WIDTH, yOf } from '../../ui/charts/chart-scale.ts';
import { formatMoney, formatSignedMoney } from '../../ui/format/money.ts';
import { formatDate, formatDateTime, formatDay, formatTime } from '../../ui/format/time.ts';
import { type ListQuery, TableError } from '../../ui/table/data-table-states.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import classes from './equity-chart.module.css';
import {
  areaPath,
  type EquityPoint,
  type EquityRange,
  heldPath,
  inRange,
  putInPath,
  putInSteps,
  resultPath,
  timeTicks,
  toEquityPoints,
  worthPath,
  xOf,
} from './equity-scale.ts';

const WORTH_HEIGHT = 168;
const RESULT_HEIGHT = 72;
/** Between the two pictures. */
const GAP = 28;
const AXIS_HEIGHT = 24;
const MOST_NOTES = 2;
const DAY_MS = 86_400_000;

type EquityChartProps = {
  /** The portfolio's query: the chart says itself when it is on its way, failed or late. */
  query: ListQuery & { data: Portfolio | undefined };
  range: EquityRange;
  /** Adds what simply holding would have given, and the difference of the two lines as a picture of its own. */
  withResult?: boolean;
};

/** Net worth, always with the dashed line of the money put in: a deposit must never look like a gain. */
export function EquityChart({ query, range, withResult = false }: EquityChartProps) {
  const equity = query.data?.equity;
  const points = useMemo(() => inRange(toEquityPoints(equity ?? []), range), [equity, range]);
  const height = WORTH_HEIGHT + AXIS_HEIGHT + (withResult ? GAP + RESULT_HEIGHT : 0);
  const last = points.at(-1);
  const hasHeld = points.some(({ held }) => held !== null);
  if (equity === undefined) {
    return (
      <div className={classes.empty} style={{ minHeight: height }} aria-busy={!query.isError}>
        {query.isError && <TableError query={query} />}
      </div>
    );
  }
  if (points.length < 2 || last === undefined) {
    return (
      <div className={classes.empty} style={{ minHeight: height }}>
        <ListState icon={<IconChartLine size={20} stroke={1.5} />} title="No line yet">
          It gets one point each trading session, beside the money you put in.
        </ListState>
      </div>
    );
  }
  return (
    <ChartFrame
      summary={summaryOf(points, withResult)}
      height={height}
      legend={
        <>
          <LegendLine look="accent">Net worth</LegendLine>
          <LegendLine look="dashed">Money put in, less withdrawn</LegendLine>
          {withResult && hasHeld && <LegendLine look="dotted">If simply held</LegendLine>}
          {withResult && <LegendLine look="plain">Result: net worth less put in</LegendLine>}
        </>
      }
      table={{
        heads: ['Time, UTC', 'Net worth', 'Put in, less withdrawn', 'Result', 'Below its highest', 'If simply held'],
        rows: points
          .toReversed()
          .map(({ at, value, putIn, drawdown, held }) => [
            `${formatDate(at)}, ${formatTime(at)}`,
            <Money key="value" value={value} />,
            <Money key="putIn" value={putIn} />,
            <SignedMoney key="result" value={value - putIn} />,
            <Money key="drawdown" value={drawdown} />,
            <Money key="held" value={held} />,
          ]),
      }}
    >
      <div className={classes.picture}>
        <WorthPlot points={points} withHeld={withResult} />
        {withResult && <ResultPlot points={points} />}
        <TimeAxis points={points} />
      </div>
    </ChartFrame>
  );
}

function WorthPlot({ points, withHeld }: { points: readonly EquityPoint[]; withHeld: boolean }) {
  const scale = niceScale(
    points.flatMap(({ value, putIn, held }) => (withHeld && held !== null ? [value, putIn, held] : [value, putIn])),
    4,
  );
  const steps = putInSteps(points);
  const last = points.at(-1);
  return (
    <div className={classes.plot} style={{ height: WORTH_HEIGHT }}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <Grid scale={scale} />
        <path d={areaPath(points, scale)} className={classes.area} />
        <path d={putInPath(points, scale)} className={classes.putIn} />
        {withHeld && <path d={heldPath(points, scale)} className={classes.held} />}
        <path d={worthPath(points, scale)} className={classes.worth} />
      </svg>
      {last && <Dot top={yOf(last.value, scale)} look="accent" />}
      {steps.length <= MOST_NOTES &&
        steps.map(({ at, amount, middle }) => (
          <span
            key={at}
            className={classes.note}
            data-side={xOf(at, points) > WIDTH * 0.75 ? 'left' : 'right'}
            style={{ left: `calc((100% - var(--axis)) * ${xOf(at, points) / WIDTH})`, top: `${yOf(middle, scale)}%` }}
          >
            {amount > 0 ? 'Put in' : 'Withdrew'} {formatMoney(Math.abs(amount), 'typed')}
          </span>
        ))}
      <ValueAxis scale={scale} format={plainLabel} />
    </div>
  );
}

function ResultPlot({ points }: { points: readonly EquityPoint[] }) {
  const results = points.map(({ value, putIn }) => value - putIn);
  const scale = niceScale([0, ...results], 2);
  return (
    <div className={classes.plot} style={{ height: RESULT_HEIGHT, marginTop: GAP }}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <Grid scale={scale} />
        <path d={`M0 ${yOf(0, scale)}H${WIDTH}`} className={classes.zero} />
        <path d={resultPath(points, scale)} className={classes.difference} />
      </svg>
      <Dot top={yOf(results.at(-1) ?? 0, scale)} look="plain" />
      <ValueAxis scale={scale} format={signedLabel} />
    </div>
  );
}

const Grid = ({ scale }: { scale: Scale }) =>
  scale.ticks.map((tick) => <path key={tick} d={`M0 ${yOf(tick, scale)}H${WIDTH}`} className={classes.grid} />);

const Dot = ({ top, look }: { top: number; look: 'accent' | 'plain' }) => (
  <i className={classes.dot} data-look={look} style={{ top: `${top}%` }} />
);

function ValueAxis({ scale, format }: { scale: Scale; format: (value: number, step: number) => string }) {
  const [first = 0, second = 1] = scale.ticks;
  return scale.ticks.map((tick) => (
    <span key={tick} className={classes.value} style={{ top: `${yOf(tick, scale)}%` }}>
      {format(tick, second - first)}
    </span>
  ));
}

function TimeAxis({ points }: { points: readonly EquityPoint[] }) {
  const ticks = timeTicks(points);
  const span = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0);
  return (
    <div className={classes.times} style={{ height: AXIS_HEIGHT }}>
      {ticks.map((at) => (
        <span key={at}>{span < DAY_MS ? formatTime(at) : formatDay(at)}</span>
      ))}
    </div>
  );
}

/** Whole dollars on an axis whose lines are dollars apart. */
const plainLabel = (value: number, step: number) => {
  const digits = step >= 1 ? 0 : 2;
  const text = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${value < 0 ? '−' : ''}$${text}`;
};
const signedLabel = (value: number, step: number) => `${value > 0 ? '+' : ''}${plainLabel(value, step)}`;

function summaryOf(points: readonly EquityPoint[], withHeld: boolean): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return 'Net worth';
  return (
    `Net worth from ${formatDateTime(first.at)} to ${formatDateTime(last.at)}: from ${formatMoney(first.value, 2)} to ` +
    `${formatMoney(last.value, 2)}. Money put in, less withdrawn: ${formatMoney(last.putIn, 2)}, ` +
    `so the result is ${formatSignedMoney(last.value - last.putIn, 2)}.` +
    (withHeld && last.held !== null ? ` Simply held it would be worth ${formatMoney(last.held, 2)}.` : '')
  );
}
