import { Stack, Text, Title } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { riskSentence } from '#contract/rules.ts';
import type { BacktestOrderInput, BacktestResult } from '#contract/trading/backtest.ts';
import { call } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { plural, t, translate } from '../../api/texts.ts';
import { InvestmentTabs } from '../../entities/trade/investment-tabs.tsx';
import { stopKinds } from '../../entities/trade/stops.ts';
import { strategyLine } from '../../entities/trade/strategies.ts';
import { formatDate } from '../../ui/format/time.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import { Columns } from '../../ui/layout/columns.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { AssetPanel } from './asset-panel.tsx';
import { BacktestForm } from './backtest-form.tsx';
import classes from './backtest-page.module.css';
import { EquityChart } from './equity-chart.tsx';
import { FigurePanel, ResultFigures } from './result-figures.tsx';
import { SessionPanel } from './session-panel.tsx';
import { TradePanel } from './trade-panel.tsx';
import { WaitPanel } from './wait-panel.tsx';

/** What a strategy would have done with past prices, by the rules and fees of real trades. */
export function BacktestPage() {
  const { data: session } = useQuery(sessionQuery);
  // A backtest moves nothing, so nothing is read again after it.
  const run = useMutation({
    mutationFn: (body: BacktestOrderInput) => call(endpoints.backtest.runBacktest, { body }),
  });
  const label = session?.feed.label ?? null;
  return (
    <>
      <PageHead
        title={t`Backtest`}
        facts={t`How a strategy would have performed on past prices, including fees and spread`}
      />
      <InvestmentTabs />
      <Banner
        tone={label === null ? 'neutral' : 'amber'}
        icon={<IconHistory size={16} stroke={1.5} />}
        title={label === null ? t`Historical prices` : t`${label}: these are not prices of a live market`}
      >
        {translate(riskSentence)} {t`Past performance does not predict future results.`}
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

const isStop = (code: string) => stopKinds.some((kind) => kind === code);

function Answer({ result }: { result: BacktestResult }) {
  const headRef = useRef<HTMLHeadingElement>(null);
  // The answer stands below the form: whoever asked is taken to it, also when they do not see it.
  useEffect(() => headRef.current?.focus(), []);
  return (
    <Stack component="section" gap="md" mt="xs" aria-label={t`Backtest result`}>
      <div>
        <Title ref={headRef} order={2} tabIndex={-1} size="h1" className={classes.head ?? ''}>
          {strategyLine(result.strategy, result.params)}
        </Title>
        <Text size="sm" c="var(--tw-text-2)">
          {plural(result.stats.sessions, { one: '# session', other: '# sessions' })}, {formatDate(result.from)} –{' '}
          {formatDate(result.to)}
          {result.market_label !== null && `, ${translate(result.market_label).toLowerCase()}`}.{' '}
          {translate(riskSentence)}
        </Text>
        {result.trades.some(({ exit }) => isStop(exit.code)) && (
          <Text
            size="sm"
            c="var(--tw-text-2)"
          >{t`Stops fill at the stop level or the next open, whichever is worse. Within a candle, the worse sequence is assumed.`}</Text>
        )}
      </div>
      <ResultFigures result={result} />
      <Columns>
        <Panel title={t`Strategy and buy and hold`}>
          <EquityChart result={result} />
        </Panel>
        <FigurePanel result={result} />
      </Columns>
      <Columns>
        <SessionPanel result={result} />
        <WaitPanel waits={result.stats.waits} />
      </Columns>
      <AssetPanel assets={result.assets} />
      <TradePanel result={result} />
    </Stack>
  );
}
