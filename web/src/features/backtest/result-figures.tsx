import type { BacktestResult } from '#contract/trading/backtest.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';

/** What came of it, with simply holding beside it in the same size. */
export function ResultFigures({ result }: { result: BacktestResult }) {
  const { stats } = result;
  return (
    <FigureStrip>
      <Figure
        label="Result"
        foot={
          <>
            <Percent value={stats.result_percent} signed /> of <Money value={stats.put_in} decimals="typed" /> put in
          </>
        }
      >
        <SignedMoney value={stats.result} arrow />
      </Figure>
      <Figure
        label="Simply holding"
        foot={
          <>
            <Percent value={stats.hold_percent} signed />, one fee and spread
          </>
        }
      >
        <SignedMoney value={stats.hold_result} arrow />
      </Figure>
      <Figure
        label="Largest drawdown"
        foot={
          <>
            at most <Percent value={stats.max_drawdown_percent} /> under a high
          </>
        }
      >
        <Money value={stats.max_drawdown} />
      </Figure>
      <Figure label="Trades" foot={`${stats.winning} winning, ${stats.losing} losing`}>
        {stats.trades.toLocaleString('en-US')}
      </Figure>
      <Figure label="Fees paid" foot="trade and performance fees">
        <Money value={stats.fees_paid} />
      </Figure>
    </FigureStrip>
  );
}

/** The figures behind the figures, and what they were calculated with. */
export function FigurePanel({ result }: { result: BacktestResult }) {
  const { stats } = result;
  return (
    <Panel title="In figures" foot="Ratios are per session and not annualised. A dash is what cannot be said.">
      <KeyValues
        rule
        items={[
          ['Win rate', <Percent key="rate" value={stats.win_rate} />],
          ['Sharpe, per session', ratioWords(stats.sharpe_per_session)],
          ['Sortino, per session', ratioWords(stats.sortino_per_session)],
          ['Position open', <Percent key="open" value={stats.exposure_percent} />],
          ['Trade fees', <Money key="trade" value={stats.trade_fees} />],
          ['Performance fees', <Money key="performance" value={stats.performance_fees} />],
          ['Calculated with', termsOf(result)],
        ]}
      />
    </Panel>
  );
}

/** Signed by U+2212, like all figures; null is a dash. */
export const ratioWords = (ratio: number | null): string => (ratio === null ? '–' : ratio.toFixed(4).replace('-', '−'));

function termsOf({
  trade_fee_percent: tradeFee,
  performance_fee_percent: performanceFee,
  assets,
}: BacktestResult): string {
  const spreads = [...new Set(assets.map((asset) => asset.spread_percent))];
  const spread = spreads.length === 1 ? `${spreads[0]}%` : `${Math.min(...spreads)} to ${Math.max(...spreads)}%`;
  return `fee ${tradeFee}%, ${performanceFee}% of gains, spread ${spread}`;
}
