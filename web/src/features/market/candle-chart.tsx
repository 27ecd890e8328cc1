import { Button, Flex } from '@mantine/core';
import { IconAlertTriangle, IconChartCandle, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { CandleInterval } from '#contract/market.ts';
import { ChartFrame } from '../../ui/charts/chart-frame.tsx';
import { priceDecimals } from '../../ui/format/price.ts';
import { formatDateTime, formatShortDateTime } from '../../ui/format/time.ts';
import { Segments } from '../../ui/forms/segments.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Percent, Price } from '../../ui/text/money.tsx';
import { CandleCanvas } from './candle-canvas.tsx';
import classes from './candle-chart.module.css';
import { type Bar, changePercent, intervalSeconds, summariseBars, toBars } from './candle-data.ts';
import { compact } from './compact.ts';
import { candlesQuery } from './queries.ts';

const intervals = Object.keys(intervalSeconds) as CandleInterval[];
const intervalWords: Record<CandleInterval, string> = {
  '1m': '1 minute',
  '5m': '5 minute',
  '15m': '15 minute',
  '1h': '1 hour',
  '1d': '1 day',
};

const HEIGHT = 408;
/** The newest bars in words; who needs older ones asks for a longer interval. */
const TABLE_ROWS = 100;

type CandleChartProps = {
  symbol: string;
  /** Where the member's open position was bought; null without one. */
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
      <div className={classes.head}>
        <Legend bar={shown} symbol={symbol} />
        <Segments label="Interval" options={intervals} value={interval} onChange={setInterval} />
      </div>
      {last && bars ? (
        <ChartFrame
          className={classes.frame ?? ''}
          summary={summaryOf(symbol, interval, bars, entry)}
          height={HEIGHT}
          legend="Hollow bars closed higher, filled ones lower. Times are UTC."
          table={{
            heads: ['Opened, UTC', 'Open', 'High', 'Low', 'Close', 'Volume, $'],
            rows: bars
              .slice(-TABLE_ROWS)
              .reverse()
              .map((bar) => [
                formatShortDateTime(bar.time * 1000),
                ...[bar.open, bar.high, bar.low, bar.close].map((price, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: open, high, low and close never change places
                  <Price key={index} value={price} symbol={symbol} />
                )),
                compact(bar.volume),
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
            <ListState
              error
              icon={<IconAlertTriangle size={20} stroke={1.5} />}
              title="The prices could not be loaded"
              action={
                <Button
                  variant="default"
                  leftSection={<IconRefresh size={16} stroke={1.5} />}
                  onClick={() => void query.refetch()}
                >
                  Try again
                </Button>
              }
            >
              Your money is not affected.
            </ListState>
          )}
          {bars && (
            <ListState
              icon={<IconChartCandle size={20} stroke={1.5} />}
              title={`No ${intervalWords[interval]} candles yet`}
            >
              They appear as soon as the market has prices for this interval. A longer one may have some already.
            </ListState>
          )}
        </Flex>
      )}
    </Panel>
  );
}

/** Open, high, low and close of the bar under the cursor, or of the newest. */
function Legend({ bar, symbol }: { bar: Bar | undefined; symbol: string }) {
  if (!bar) return <div className={classes.legend} />;
  const values = { O: bar.open, H: bar.high, L: bar.low, C: bar.close };
  return (
    <div className={classes.legend}>
      {Object.entries(values).map(([letter, value]) => (
        <span key={letter}>
          {letter}{' '}
          <b>
            <Price value={value} symbol={symbol} />
          </b>
        </span>
      ))}
      <Percent value={changePercent(bar.open, bar.close)} signed />
    </div>
  );
}

function summaryOf(symbol: string, interval: CandleInterval, bars: readonly Bar[], entry: number | null): string {
  const summary = summariseBars(bars);
  if (summary === null) return `${symbol}/usdt`;
  const decimals = priceDecimals(symbol, summary.close);
  const price = (value: number) =>
    value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const own = entry === null ? '' : ` Your entry is ${price(entry)}.`;
  return (
    `${symbol}/usdt, ${intervalWords[interval]} candles from ${formatDateTime(summary.from * 1000)} to ${formatDateTime(summary.to * 1000)}: ` +
    `from ${price(summary.open)} to ${price(summary.close)}, highest ${price(summary.high)}, lowest ${price(summary.low)}.${own}`
  );
}
