import { Flex } from '@mantine/core';
import { IconChartCandle } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { TradeChart as Prices, TradeDetail } from '#contract/trading/trade-detail.ts';
import { Chart } from '../../ui/charts/chart.tsx';
import { ChartFrame, LegendLine } from '../../ui/charts/chart-frame.tsx';
import { formatPrice } from '../../ui/format/price.ts';
import { formatDateTime, formatDay, formatShortDateTime, formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Price } from '../../ui/text/money.tsx';
import { eventWords } from './labels.ts';
import { levelsOf, pointsOf, spanOf, tradePicture } from './trade-picture.ts';

const HEIGHT = 320;
const DAY_MS = 86_400_000;
const TIMES = 4;
const TABLE_ROWS = 200;

/** The prices over the life of the trade, with where it was placed, opened, stopped and closed. */
export function TradeChart({ detail }: { detail: TradeDetail }) {
  const { chart, trade } = detail;
  const points = pointsOf(chart);
  const picture = useMemo(() => tradePicture(detail, HEIGHT), [detail]);
  if (points.length < 2) {
    return (
      <Panel title="Prices">
        <Flex mih={HEIGHT}>
          <ListState icon={<IconChartCandle size={20} stroke={1.5} />} title="No prices yet">
            They are drawn here as they come.
          </ListState>
        </Flex>
      </Panel>
    );
  }
  const levels = levelsOf(detail);
  return (
    <Panel title="Prices" control={chart.kind === 'ticks' ? 'each mark' : `${chart.interval} candles`}>
      <ChartFrame
        summary={summaryOf(detail)}
        height={HEIGHT}
        legend={
          <>
            <LegendLine look="plain">{chart.kind === 'ticks' ? 'Mark' : 'Hollow bars closed higher'}</LegendLine>
            {trade.open_price !== null && <LegendLine look="accent">Bought at</LegendLine>}
            {levels.some(({ look }) => look !== 'accent') && <LegendLine look="dashed">Sold at, stops</LegendLine>}
          </>
        }
        table={tableOf(chart, trade.symbol)}
      >
        <Chart picture={picture} times={timesOf(detail)} />
      </ChartFrame>
    </Panel>
  );
}

function timesOf({ chart }: TradeDetail): string[] {
  const { from, to } = spanOf(chart);
  const instants = Array.from({ length: TIMES }, (_, index) => from + ((to - from) * index) / (TIMES - 1));
  return instants.map((at) => (to - from > DAY_MS ? formatDay(at) : formatTime(at)));
}

function tableOf(chart: Prices, symbol: string) {
  if (chart.kind === 'ticks') {
    return {
      heads: ['Time, UTC', 'Mark'],
      rows: chart.ticks
        .slice(-TABLE_ROWS)
        .toReversed()
        .map(({ time, price }) => [
          `${formatShortDateTime(time)}:${time.slice(17, 19)}`,
          <Price key="mark" value={price} symbol={symbol} />,
        ]),
    };
  }
  return {
    heads: ['Opened, UTC', 'Open', 'High', 'Low', 'Close'],
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
  const steps = events.map(({ kind, at }) => `${eventWords[kind]} ${formatDateTime(at)}`);
  return (
    `Prices of ${trade.symbol}/usdt from ${price(prices[0])} to ${price(prices.at(-1))}, ` +
    `lowest ${price(Math.min(...prices))}, highest ${price(Math.max(...prices))}. ${[...levels, ...steps].join('. ')}.`
  );
}
