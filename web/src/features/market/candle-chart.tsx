import { Flex, Group, Text } from '@mantine/core';
import { IconChartCandle } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { market } from '#contract/endpoints.ts';
import type { Candle, CandleInterval } from '#contract/market.ts';
import { call } from '../../api/call.ts';
import { pollEvery } from '../../api/query-of.ts';
import { t } from '../../api/texts.ts';
import { Canvas } from '../../ui/charts/chart.tsx';
import type { ChartColours } from '../../ui/charts/chart-colours.ts';
import { ChartFrame } from '../../ui/charts/chart-frame.tsx';
import { useDrawing } from '../../ui/charts/use-drawing.ts';
import { formatCompact, formatDecimal, percentOf } from '../../ui/format/number.ts';
import { priceDecimals } from '../../ui/format/price.ts';
import { formatDateTime, formatShortDateTime } from '../../ui/format/time.ts';
import { Segments } from '../../ui/forms/segments.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { LoadError } from '../../ui/table/data-table-states.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Percent, Price } from '../../ui/text/money.tsx';
import classes from './candle-chart.module.css';
import { type Bar, intervalSeconds, mergeCandles, summariseBars, toBars } from './candle-data.ts';

const intervals = Object.keys(intervalSeconds) as CandleInterval[];
const intervalLabels: Record<CandleInterval, string> = {
  '1m': t`1-minute`,
  '5m': t`5-minute`,
  '15m': t`15-minute`,
  '1h': t`1-hour`,
  '1d': t`1-day`,
};

const HEIGHT = 408;
/** The newest bars as a table; for older ones, choose a longer interval. */
const TABLE_ROWS = 100;

type CandleChartProps = {
  symbol: string;
  /** The entry of the member's open position; null without one. */
  entry: number | null;
};

/** Candles of one pair with volume, session hours and the member's own entry. */
export function CandleChart({ symbol, entry }: CandleChartProps) {
  const [interval, setInterval] = useState<CandleInterval>('15m');
  const [cursor, setCursor] = useState<number | null>(null);
  const query = useQuery(candlesQuery(symbol, interval));
  const bars = useMemo(() => query.data && toBars(query.data), [query.data]);
  const shown = (cursor !== null && bars?.find((bar) => bar.time === cursor)) || bars?.at(-1);
  const last = bars?.at(-1);

  return (
    <Panel padded={false}>
      <Group justify="space-between" gap="8px 12px" mih={52} px={{ base: 'md', sm: 20 }} py="xs">
        <Legend bar={shown} symbol={symbol} />
        <Segments label={t`Interval`} options={intervals} value={interval} onChange={setInterval} />
      </Group>
      {last && bars ? (
        <ChartFrame
          className={classes.frame ?? ''}
          summary={summaryOf(symbol, interval, bars, entry)}
          height={HEIGHT}
          legend={t`Hollow candles closed higher, filled candles lower. Times are in UTC.`}
          table={{
            heads: [t`Opened, UTC`, t`Open`, t`High`, t`Low`, t`Close`, t`Volume, $`],
            rows: bars
              .slice(-TABLE_ROWS)
              .reverse()
              .map((bar) => [
                formatShortDateTime(bar.time * 1000),
                ...[bar.open, bar.high, bar.low, bar.close].map((price, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: open, high, low and close never change places
                  <Price key={index} value={price} symbol={symbol} />
                )),
                formatCompact(bar.volume),
              ]),
          }}
        >
          <CandleCanvas
            key={symbol}
            bars={bars}
            stepSeconds={intervalSeconds[interval]}
            decimals={priceDecimals(symbol, last.close)}
            entry={entry}
            onCursor={setCursor}
          />
        </ChartFrame>
      ) : (
        <Flex mih={453} aria-busy={query.isPending || undefined}>
          {query.isError && (
            <LoadError query={query} title={t`The prices could not be loaded`}>
              {() => t`Your money is not affected.`}
            </LoadError>
          )}
          {bars && (
            <ListState
              icon={IconChartCandle}
              title={t`No ${intervalLabels[interval]} candles yet`}
            >{t`Candles appear once the market has prices for this interval. Try a longer interval.`}</ListState>
          )}
        </Flex>
      )}
    </Panel>
  );
}

type CandleCanvasProps = {
  bars: readonly Bar[];
  stepSeconds: number;
  decimals: number;
  entry: number | null;
  /** The time of the bar under the cursor, in seconds. */
  onCursor: (time: number | null) => void;
};

/** The chart itself, which follows the market. */
function CandleCanvas({ bars, stepSeconds, decimals, entry, onCursor }: CandleCanvasProps) {
  const open = useCallback(
    async (host: HTMLElement, colours: ChartColours) =>
      (await import('./candle-drawing.ts')).drawCandles(host, colours, decimals, onCursor),
    [decimals, onCursor],
  );
  const { host, drawing, hasFailed } = useDrawing(open);
  useEffect(() => drawing?.setBars(bars, stepSeconds), [drawing, bars, stepSeconds]);
  useEffect(() => drawing?.setEntry(entry), [drawing, entry]);
  return <Canvas host={host} hasFailed={hasFailed} />;
}

/** Open, high, low and close of the bar under the cursor, or of the newest. */
function Legend({ bar, symbol }: { bar: Bar | undefined; symbol: string }) {
  const values = bar && { O: bar.open, H: bar.high, L: bar.low, C: bar.close };
  return (
    <Group gap="2px 14px" c="dimmed" fz="xs" lh="1rem">
      {Object.entries(values ?? {}).map(([letter, value]) => (
        <span key={letter}>
          {letter}{' '}
          <Text span inherit c="var(--tw-text)" fw={500}>
            <Price value={value} symbol={symbol} />
          </Text>
        </span>
      ))}
      {bar && <Percent value={percentOf(bar.close - bar.open, bar.open)} signed />}
    </Group>
  );
}

function summaryOf(symbol: string, interval: CandleInterval, bars: readonly Bar[], entry: number | null): string {
  const summary = summariseBars(bars);
  if (summary === null) return `${symbol}/usdt`;
  const decimals = priceDecimals(symbol, summary.close);
  const price = (value: number) => formatDecimal(value, decimals);
  const range = t`${symbol}/usdt, ${intervalLabels[interval]} candles, ${formatDateTime(summary.from * 1000)} to ${formatDateTime(summary.to * 1000)}: open ${price(summary.open)}, close ${price(summary.close)}, high ${price(summary.high)}, low ${price(summary.low)}.`;
  return entry === null ? range : `${range} ${t`Your entry price: ${price(entry)}.`}`;
}

const CANDLES_MS = 5_000;

/**
 * Candles of one pair, kept current. After the first response only changes are requested: the last known candle, which
 * was still open, and everything after it.
 */
const candlesQuery = (symbol: string, interval: CandleInterval) => {
  const queryKey = ['market', 'candles', symbol, interval] as const;
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<Candle[]> => {
      const known = client.getQueryData<Candle[]>(queryKey) ?? [];
      const from = known.at(-1)?.time;
      const query = from === undefined ? { interval } : { interval, from };
      const fresh = await call(market.listCandles, { params: { symbol }, query, signal });
      return mergeCandles(known, fresh);
    },
    refetchInterval: pollEvery(CANDLES_MS),
  });
};
