import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { riskSentence } from '#contract/rules.ts';
import type { BacktestResult } from '#contract/trading/backtest.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { InvestmentTabs } from '../../entities/trade/investment-tabs.tsx';
import { strategyLine } from '../../entities/trade/strategies.ts';
import { formatDate } from '../../ui/format/time.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { AssetPanel } from './asset-panel.tsx';
import { BacktestForm } from './backtest-form.tsx';
import classes from './backtest-page.module.css';
import { EquityChart } from './equity-chart.tsx';
import { useRunBacktest } from './queries.ts';
import { FigurePanel, ResultFigures } from './result-figures.tsx';
import { SessionPanel } from './session-panel.tsx';
import { TradePanel } from './trade-panel.tsx';
import { WaitPanel } from './wait-panel.tsx';

/** What a strategy would have done with past prices, by the rules and fees of real trades. */
export function BacktestPage() {
  const { data: session } = useQuery(sessionQuery);
  const run = useRunBacktest();
  const label = session?.feed.label ?? null;
  return (
    <>
      <PageHead title="Backtest" facts="What a strategy would have done with past prices, fees and spread included." />
      <InvestmentTabs />
      <Banner
        tone={label === null ? 'neutral' : 'amber'}
        icon={<IconHistory size={16} stroke={1.5} />}
        title={label === null ? 'Past prices' : `${label}: past prices of a market that is not live`}
      >
        {riskSentence} What happened before says little about what comes.
      </Banner>
      {session && (
        <BacktestForm
          today={session.market_time.slice(0, 10)}
          busy={run.isPending}
          error={run.error}
          onRun={(order) => run.mutate(order)}
        />
      )}
      {run.data && <Answer key={run.submittedAt} result={run.data} />}
    </>
  );
}

const isStop = (code: string) => ['stop_loss', 'take_profit', 'trailing_stop'].includes(code);

function Answer({ result }: { result: BacktestResult }) {
  const headRef = useRef<HTMLHeadingElement>(null);
  // The answer stands below the form: whoever asked is taken to it, also when they do not see it.
  useEffect(() => headRef.current?.focus(), []);
  return (
    <section className={classes.answer} aria-label="Result of the backtest">
      <div className={classes.head}>
        <h2 ref={headRef} tabIndex={-1}>
          {strategyLine(result.strategy, result.params)}
        </h2>
        <p>
          {result.stats.sessions} sessions from {formatDate(result.from)} to {formatDate(result.to)}
          {result.market_label !== null && `, ${result.market_label.toLowerCase()}`}. {riskSentence}
        </p>
        {result.trades.some(({ exit }) => isStop(exit.code)) && (
          <p>Stops are sold at the worse of their level and the next open. Within a candle the worse order counts.</p>
        )}
      </div>
      <ResultFigures result={result} />
      <div className={classes.grid}>
        <Panel title="Against simply holding">
          <EquityChart result={result} />
        </Panel>
        <FigurePanel result={result} />
        <SessionPanel result={result} />
        <WaitPanel waits={result.stats.waits} />
      </div>
      <AssetPanel assets={result.assets} />
      <TradePanel result={result} />
    </section>
  );
}
