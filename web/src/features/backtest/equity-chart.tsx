import { useMemo } from 'react';
import type { BacktestResult } from '#contract/trading/backtest.ts';
import { t } from '../../api/texts.ts';
import { strategyLine } from '../../entities/trade/strategies.ts';
import { Chart } from '../../ui/charts/chart.tsx';
import { type ChartSpec, evenTimes } from '../../ui/charts/chart-data.ts';
import { ChartFrame, LegendLine } from '../../ui/charts/chart-frame.tsx';
import { formatMoney, formatSignedMoney } from '../../ui/format/number.ts';
import { formatAxisDays, formatDate } from '../../ui/format/time.ts';
import { Money, SignedMoney } from '../../ui/text/money.tsx';

const HEIGHT = 264;
const MAX_TIMES = 5;
const SESSION_MS = 5 * 3_600_000;

/** The strategy's equity, always beside buy and hold and the starting amount. */
export function EquityChart({ result }: { result: BacktestResult }) {
  const spec = useMemo(() => chartSpecOf(result), [result]);
  return (
    <ChartFrame
      summary={summaryOf(result)}
      height={HEIGHT}
      legend={
        <>
          <LegendLine style="accent">{strategyLine(result.strategy, result.params)}</LegendLine>
          <LegendLine style="plain">{t`Buy and hold`}</LegendLine>
          <LegendLine style="dashed">{t`Invested`}</LegendLine>
        </>
      }
      table={{
        heads: [t`Session`, t`Strategy`, t`Buy and hold`, t`Session P&L`],
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
      <Chart spec={spec} times={formatAxisDays(evenTimes(spec.panes[0]?.lines[0]?.points ?? [], MAX_TIMES))} />
    </ChartFrame>
  );
}

/** All lines begin with the starting amount at the first opening; sessions are evenly spaced. */
export function chartSpecOf({ equity, hold, stats }: Pick<BacktestResult, 'equity' | 'hold' | 'stats'>): ChartSpec {
  const first = equity[0];
  const start = first ? [{ at: Date.parse(first.time) - SESSION_MS, value: stats.put_in }] : [];
  const pointsOf = (values: readonly (number | null)[]) => [
    ...start,
    ...equity.map(({ time }, index) => ({ at: Date.parse(time), value: values[index] ?? null })),
  ];
  const worth = pointsOf(equity.map(({ value }) => value));
  return {
    panes: [
      {
        height: HEIGHT,
        lines: [
          { style: 'dashed', points: worth.map(({ at }) => ({ at, value: stats.put_in })) },
          { style: 'plain', points: pointsOf(hold.map(({ value }) => value)) },
          { style: 'accent', points: worth, isFilled: true },
        ],
        step: 0.01,
        format: (value) => formatMoney(value, 'typed').replace(/\.00$/, ''),
      },
    ],
    spacing: 'even',
    axisWidth: 64,
  };
}

const summaryOf = ({ from, to, stats, strategy, params }: BacktestResult): string =>
  t`${strategyLine(strategy, params)}, ${formatDate(from)} to ${formatDate(to)}: P&L ${formatSignedMoney(stats.result, 2)} on ${formatMoney(stats.put_in, 2)}. Buy and hold: ${formatSignedMoney(stats.hold_result, 2)}.`;
