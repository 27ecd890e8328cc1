import { Flex } from '@mantine/core';
import { IconChartCandle } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { TradeChart as Prices, TradeDetail } from '#contract/trading/trade-detail.ts';
import { t } from '../../api/texts.ts';
import { Chart } from '../../ui/charts/chart.tsx';
import { ChartFrame, LegendLine } from '../../ui/charts/chart-frame.tsx';
import { formatPrice } from '../../ui/format/price.ts';
import {
  formatAxisDays,
  formatDateTime,
  formatDay,
  formatSeconds,
  formatShortDateTime,
  formatTime,
} from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Price } from '../../ui/text/money.tsx';
import { eventLabels } from './labels.ts';
import { levelsOf, pointsOf, spanOf, tradeChartSpec } from './trade-chart-spec.ts';

const HEIGHT = 320;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const TIMES = 4;
const TABLE_ROWS = 200;

/** Prices over the life of the trade, with its placement, opening, stops and close. */
export function TradeChart({ detail }: { detail: TradeDetail }) {
  const { chart, trade } = detail;
  const points = pointsOf(chart);
  const spec = useMemo(() => tradeChartSpec(detail, HEIGHT), [detail]);
  if (points.length < 2) {
    return (
      <Panel title={t`Prices`}>
        <Flex mih={HEIGHT}>
          <ListState icon={IconChartCandle} title={t`No prices yet`}>{t`Prices appear here as they arrive.`}</ListState>
        </Flex>
      </Panel>
    );
  }
  const levels = levelsOf(detail);
  return (
    <Panel title={t`Prices`} control={chart.kind === 'ticks' ? t`Every mark price` : t`${chart.interval} candles`}>
      <ChartFrame
        summary={summaryOf(detail)}
        height={HEIGHT}
        legend={
          <>
            <LegendLine style="plain">
              {chart.kind === 'ticks' ? t`Mark price` : t`Hollow candles closed higher`}
            </LegendLine>
            {trade.open_price !== null && <LegendLine style="accent">{t`Entry price`}</LegendLine>}
            {levels.some(({ style }) => style !== 'accent') && <LegendLine style="dashed">{t`Exit, stops`}</LegendLine>}
          </>
        }
        table={tableOf(chart, trade.symbol)}
      >
        <Chart spec={spec} times={timesOf(detail)} />
      </ChartFrame>
    </Panel>
  );
}

function timesOf({ chart }: TradeDetail): string[] {
  const { from, to } = spanOf(chart);
  const instants = Array.from({ length: TIMES }, (_, index) => from + ((to - from) * index) / (TIMES - 1));
  if (to - from > DAY_MS) return formatAxisDays(instants);
  return instants.map((at) => (to - from < TIMES * MINUTE_MS ? formatSeconds(at) : formatTime(at)));
}

function tableOf(chart: Prices, symbol: string) {
  if (chart.kind === 'ticks') {
    return {
      heads: [t`Time, UTC`, t`Mark price`],
      rows: chart.ticks
        .slice(-TABLE_ROWS)
        .toReversed()
        .map(({ time, price }) => [
          `${formatDay(time)}, ${formatSeconds(time)}`,
          <Price key="mark" value={price} symbol={symbol} />,
        ]),
    };
  }
  return {
    heads: [t`Opened, UTC`, t`Open`, t`High`, t`Low`, t`Close`],
    rows: chart.candles
      .slice(-TABLE_ROWS)
      .toReversed()
      .map(({ time, open, high, low, close }) => [
        formatShortDateTime(time),
        <Price key="open" value={open} symbol={symbol} />,
        <Price key="high" value={high} symbol={symbol} />,
        <Price key="low" value={low} symbol={symbol} />,
        <Price key="close" value={close} symbol={symbol} />,
      ]),
  };
}

function summaryOf(detail: TradeDetail): string {
  const { trade, chart, events } = detail;
  const points = pointsOf(chart);
  const price = (value: number | undefined) => formatPrice(value, trade.symbol);
  const prices = points.map((point) => point.price);
  const levels = levelsOf(detail).map((level) => `${level.name} ${price(level.price)}`);
  const steps = events.map(({ kind, at }) => `${eventLabels[kind]} ${formatDateTime(at)}`);
  const range = t`Prices of ${trade.symbol}/usdt: open ${price(prices[0])}, close ${price(prices.at(-1))}, high ${price(Math.max(...prices))}, low ${price(Math.min(...prices))}.`;
  return `${range} ${[...levels, ...steps].join('. ')}.`;
}
