import type { BacktestResult } from '#contract/trading/backtest.ts';
import { strategyLine } from '../../entities/trade/strategies.ts';
import { ChartFrame, LegendLine } from '../../ui/charts/chart-frame.tsx';
import { HEIGHT, niceScale, WIDTH, yOf } from '../../ui/charts/chart-scale.ts';
import { formatMoney, formatSignedMoney } from '../../ui/format/money.ts';
import { formatDate, formatDay } from '../../ui/format/time.ts';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { areaPath, axisTimes, toChartPoints, valuePath } from './chart-scale.ts';
import classes from './equity-chart.module.css';

const PLOT_HEIGHT = 240;
const AXIS_HEIGHT = 24;

/** What the strategy came to, always beside simply holding and the money put in. */
export function EquityChart({ result }: { result: BacktestResult }) {
  const points = toChartPoints(result);
  const putIn = result.stats.put_in;
  const [values, holds] = [points.map(({ value }) => value), points.map(({ hold }) => hold)];
  const scale = niceScale([putIn, ...values, ...holds], 4);
  return (
    <ChartFrame
      summary={summaryOf(result)}
      height={PLOT_HEIGHT + AXIS_HEIGHT}
      legend={
        <>
          <LegendLine look="accent">{strategyLine(result.strategy, result.params)}</LegendLine>
          <LegendLine look="plain">Simply holding</LegendLine>
          <LegendLine look="dashed">Money put in</LegendLine>
        </>
      }
      table={{
        heads: ['Session', 'Strategy', 'Simply holding', 'Result of the session'],
        rows: result.sessions
          .map((session, index) => [
            formatDate(session.day),
            <Money key="value" value={result.equity[index]?.value} />,
            <Money key="hold" value={result.hold[index]?.value} />,
            <SignedMoney key="result" value={session.result} />,
          ])
          .toReversed(),
      }}
    >
      <div className={classes.picture}>
        <div className={classes.plot} style={{ height: PLOT_HEIGHT }}>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            {scale.ticks.map((tick) => (
              <path key={tick} d={`M0 ${yOf(tick, scale)}H${WIDTH}`} className={classes.grid} />
            ))}
            <path d={areaPath(values, scale)} className={classes.area} />
            <path d={`M0 ${yOf(putIn, scale)}H${WIDTH}`} className={classes.putIn} />
            <path d={valuePath(holds, scale)} className={classes.hold} />
            <path d={valuePath(values, scale)} className={classes.equity} />
          </svg>
          {scale.ticks.map((tick) => (
            <span key={tick} className={classes.value} style={{ top: `${yOf(tick, scale)}%` }}>
              {formatMoney(tick, 'typed').replace(/\.00$/, '')}
            </span>
          ))}
        </div>
        <div className={classes.times} style={{ height: AXIS_HEIGHT }}>
          {axisTimes(points).map((at, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two labels of a short period can be the same day
            <span key={index}>{formatDay(at)}</span>
          ))}
        </div>
      </div>
    </ChartFrame>
  );
}

const summaryOf = ({ from, to, stats, strategy, params }: BacktestResult): string =>
  `${strategyLine(strategy, params)} from ${formatDate(from)} to ${formatDate(to)} in past prices: ` +
  `${formatMoney(stats.put_in, 2)} put in, result ${formatSignedMoney(stats.result, 2)}. ` +
  `Simply holding came to ${formatSignedMoney(stats.hold_result, 2)}.`;
