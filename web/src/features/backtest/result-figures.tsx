import type { BacktestResult } from '#contract/trading/backtest.ts';
import { t } from '../../api/texts.ts';
import { formatCount } from '../../ui/format/number.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';
import { Trans } from '../../ui/text/trans.tsx';

/** What came of it, with simply holding beside it in the same size. */
export function ResultFigures({ result }: { result: BacktestResult }) {
  const { stats } = result;
  return (
    <FigureStrip>
      <Figure
        label={t`P&L`}
        foot={
          <Trans
            text={t`<percent/> of <amount/>`}
            percent={<Percent value={stats.result_percent} signed />}
            amount={<Money value={stats.put_in} decimals="typed" />}
          />
        }
      >
        <SignedMoney value={stats.result} arrow />
      </Figure>
      <Figure
        label={t`Buy and hold`}
        foot={
          <Trans
            text={t`<percent/>, after one fee and spread`}
            percent={<Percent value={stats.hold_percent} signed />}
          />
        }
      >
        <SignedMoney value={stats.hold_result} arrow />
      </Figure>
      <Figure
        label={t`Max drawdown`}
        foot={<Trans text={t`<percent/> below the peak`} percent={<Percent value={stats.max_drawdown_percent} />} />}
      >
        <Money value={stats.max_drawdown} />
      </Figure>
      <Figure label={t`Trades`} foot={t`${stats.winning} won, ${stats.losing} lost`}>
        {formatCount(stats.trades)}
      </Figure>
      <Figure label={t`Fees paid`} foot={t`Trade and performance fees`}>
        <Money value={stats.fees_paid} />
      </Figure>
    </FigureStrip>
  );
}

/** The figures behind the figures, and what they were calculated with. */
export function FigurePanel({ result }: { result: BacktestResult }) {
  const { stats } = result;
  return (
    <Panel title={t`Statistics`} foot={t`Ratios are per session, not annualised. A dash means not available.`}>
      <KeyValues
        rule
        items={[
          [t`Win rate`, <Percent key="rate" value={stats.win_rate} />],
          [t`Sharpe, per session`, ratioWords(stats.sharpe_per_session)],
          [t`Sortino, per session`, ratioWords(stats.sortino_per_session)],
          [t`Time in market`, <Percent key="open" value={stats.exposure_percent} />],
          [t`Trade fees`, <Money key="trade" value={stats.trade_fees} />],
          [t`Performance fees`, <Money key="performance" value={stats.performance_fees} />],
          [t`Assumptions`, termsOf(result)],
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
  const spread = spreads.length === 1 ? `${spreads[0]}%` : t`${Math.min(...spreads)} to ${Math.max(...spreads)}%`;
  return t`Trade fee ${tradeFee}%, performance fee ${performanceFee}%, spread ${spread}`;
}
