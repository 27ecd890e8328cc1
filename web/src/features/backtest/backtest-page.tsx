import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { backtest } from '#contract/endpoints.ts';
import { reasonWords } from '#contract/reasons.ts';
import { riskSentence } from '#contract/rules.ts';
import type { BacktestOrderInput, BacktestResult } from '#contract/trading/backtest.ts';
import { call } from '../../api/call.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { plural, t, translate } from '../../api/texts.ts';
import { hasExchangeFee } from '../../entities/income/fees.ts';
import { InvestmentTabs } from '../../entities/trade/investment-tabs.tsx';
import { useNegativeMembers } from '../../entities/trade/negative-members.ts';
import { SessionBars, TwoFigures } from '../../entities/trade/session-bars.tsx';
import { stopKinds } from '../../entities/trade/stops.ts';
import { strategyLine } from '../../entities/trade/strategies.ts';
import { formatCount } from '../../ui/format/number.ts';
import { formatDate, formatDay, formatShortDateTime } from '../../ui/format/time.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import { Columns } from '../../ui/layout/columns.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel, Rows } from '../../ui/layout/panel.tsx';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { paths } from '../../ui/paths.ts';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { arrived } from '../../ui/table/data-table-states.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { useKeptState } from '../../ui/table/use-kept-state.ts';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { Trans } from '../../ui/text/text.tsx';
import classes from './backtest.module.css';
import { BacktestForm } from './backtest-form.tsx';
import { EquityChart } from './equity-chart.tsx';
import { TradePanel } from './trade-panel.tsx';

/** What a strategy would have done with past prices, by the rules and fees of real trades. */
export function BacktestPage() {
  const { data: session } = useQuery(sessionQuery);
  const [answer, setAnswer] = useKeptState<{ result: BacktestResult; at: number } | null>('answer', null);
  // A backtest moves no money, so nothing is reloaded.
  const run = useMutation({
    mutationFn: (body: BacktestOrderInput) => call(backtest.runBacktest, { body }),
    onMutate: () => setAnswer(null),
    onSuccess: (result) => setAnswer({ result, at: Date.now() }),
  });
  const label = session?.feed.label ? translate(session.feed.label) : null;
  return (
    <>
      <PageHead
        title={t`Backtest`}
        facts={
          hasExchangeFee()
            ? t`How a strategy would have performed on past prices, including our fees and spread, without the exchange’s fee`
            : t`How a strategy would have performed on past prices, including fees and spread`
        }
      />
      <InvestmentTabs />
      <Banner
        tone={label === null ? 'neutral' : 'amber'}
        icon={IconHistory}
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
      {answer && <Answer key={answer.at} {...answer} isNew={run.isSuccess} />}
    </>
  );
}

const isStop = (code: string) => stopKinds.some((kind) => kind === code);

type AnswerProps = {
  result: BacktestResult;
  at: number;
  /** Not kept from before the member went back. */
  isNew: boolean;
};

function Answer({ result, at, isNew }: AnswerProps) {
  const headRef = useRef<HTMLHeadingElement>(null);
  // The result is below the form: it is focused, for people who cannot see it as well.
  useEffect(() => {
    if (isNew) headRef.current?.focus();
  }, [isNew]);
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
          {translate(riskSentence)} {useNegativeMembers()}
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
      <TradePanel result={result} at={at} />
    </Stack>
  );
}

/** Why nothing was bought: how often, and the last time as text. */
function WaitPanel({ waits }: { waits: BacktestResult['stats']['waits'] }) {
  if (waits.length === 0) return null;
  return (
    <Panel title={t`Skipped entries`} padded={false} foot={t`The strategy decides every 15 minutes of a session.`}>
      <Rows>
        {waits.map(({ code, count, last }) => (
          <Group key={code} component="li" py={10} gap="sm" wrap="nowrap" align="flex-start" fz="sm">
            <Text inherit w={72} ta="right" fw={500}>
              {formatCount(count)} ×
            </Text>
            <Box flex={1}>
              {translate(reasonWords(code, last.facts))}
              <Note>{t`Last: ${last.symbol}, ${formatShortDateTime(last.time)} UTC`}</Note>
            </Box>
          </Group>
        ))}
      </Rows>
    </Panel>
  );
}

type AssetRow = BacktestResult['assets'][number];

const columns: readonly Column<AssetRow>[] = [
  column(t`Asset`, (asset) => (
    <AssetLink symbol={asset.symbol} to={paths.symbol(asset.symbol)} detail={priceNote(asset)} />
  )),
  rightColumn(t`Invested`, (asset) => <Money value={asset.put_in} decimals="typed" />),
  rightColumn(t`Trades`, (asset) => formatCount(asset.trades)),
  rightColumn(t`Fees`, (asset) => <Money value={asset.fees_paid} />),
  rightColumn(t`Buy and hold`, (asset) => <SignedMoney value={asset.hold_result} />),
  rightColumn(t`P&L`, (asset) => <SignedMoney value={asset.result} />),
];

/** Each asset on its own, in the order of the list and not by result. */
function AssetPanel({ assets }: { assets: BacktestResult['assets'] }) {
  if (assets.length < 2) return null;
  return (
    <TablePanel
      title={t`By asset`}
      label={t`P&L by asset`}
      columns={columns}
      rows={assets}
      rowKey={(asset) => asset.symbol}
      query={arrived}
      empty={{ icon: null, title: t`No asset` }}
      dense
    />
  );
}

const priceNote = ({ sessions_without_price: missing }: AssetRow): string =>
  missing === 0
    ? t`Prices in every session`
    : t`No price in ${plural(missing, { one: '# session', other: '# sessions' })}`;

const HEIGHT = 140;

/** Each session on its own; winning and losing ones are counted in the same size. */
function SessionPanel({ result: { sessions, stats } }: { result: BacktestResult }) {
  return (
    <Panel title={t`P&L by session`} padded={false}>
      <SessionBars sessions={sessions} height={HEIGHT} />
      <TwoFigures
        figures={[
          <Count
            key="winning"
            label={t`Winning sessions`}
            count={stats.winning_sessions}
            tone="gain"
            of={t`Best`}
            session={stats.best_session}
          />,
          <Count
            key="losing"
            label={t`Losing sessions`}
            count={stats.losing_sessions}
            tone="loss"
            of={t`Worst`}
            session={stats.worst_session}
          />,
        ]}
      />
    </Panel>
  );
}

type CountProps = {
  label: string;
  count: number;
  tone: 'gain' | 'loss';
  of: string;
  session: BacktestResult['stats']['best_session'];
};

const Count = ({ label, count, tone, of, session }: CountProps) => (
  <Figure
    label={label}
    size="lg"
    foot={
      <>
        {of}: <SignedMoney value={session?.result} /> {session && t`on ${formatDay(session.day)}`}
      </>
    }
  >
    <Text span inherit c={`var(--tw-${tone})`}>
      {count}
    </Text>
  </Figure>
);

/** The result, with buy and hold beside it in the same size. */
function ResultFigures({ result }: { result: BacktestResult }) {
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

/** The inputs and details of the calculation. */
function FigurePanel({ result }: { result: BacktestResult }) {
  const { stats } = result;
  return (
    <Panel title={t`Statistics`} foot={t`Ratios are per session, not annualised. A dash means not available.`}>
      <KeyValues
        rule
        items={[
          [t`Win rate`, <Percent key="rate" value={stats.win_rate} />],
          [t`Sharpe, per session`, ratioText(stats.sharpe_per_session)],
          [t`Sortino, per session`, ratioText(stats.sortino_per_session)],
          [t`Time in market`, <Percent key="open" value={stats.exposure_percent} />],
          [t`Trade fees`, <Money key="trade" value={stats.trade_fees} />],
          [t`Performance fees`, <Money key="performance" value={stats.performance_fees} />],
          [t`Assumptions`, termsOf(result)],
        ]}
      />
    </Panel>
  );
}

/** Signed with U+2212, like all figures; null is a dash. */
const ratioText = (ratio: number | null): string => (ratio === null ? '–' : ratio.toFixed(4).replace('-', '−'));

function termsOf({
  trade_fee_percent: tradeFee,
  performance_fee_percent: performanceFee,
  assets,
}: BacktestResult): string {
  const spreads = [...new Set(assets.map((asset) => asset.spread_percent))];
  const spread = spreads.length === 1 ? `${spreads[0]}%` : t`${Math.min(...spreads)} to ${Math.max(...spreads)}%`;
  return hasExchangeFee()
    ? t`Trade fee ${tradeFee}%, performance fee ${performanceFee}%, spread ${spread}, no exchange fee`
    : t`Trade fee ${tradeFee}%, performance fee ${performanceFee}%, spread ${spread}`;
}
