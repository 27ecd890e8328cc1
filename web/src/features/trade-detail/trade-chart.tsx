import { IconChartCandle } from '@tabler/icons-react';
import type { TradeChart as Chart, TradeDetail } from '#contract/trading/trade-detail.ts';
import { ChartFrame, LegendLine } from '../../ui/charts/chart-frame.tsx';
import { HEIGHT, type Scale, WIDTH, yOf } from '../../ui/charts/chart-scale.ts';
import { formatPrice, priceDecimals } from '../../ui/format/price.ts';
import { formatDateTime, formatDay, formatShortDateTime, formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Price } from '../../ui/text/money.tsx';
import {
  barsOf,
  type Level,
  levelsOf,
  pinsOf,
  pointsOf,
  type Span,
  scaleOf,
  spanOf,
  stepPath,
} from './chart-drawing.ts';
import { eventWords } from './labels.ts';
import classes from './trade-chart.module.css';

const HEIGHT_PX = 320;
const DAY_MS = 86_400_000;
const TIMES = 4;
const TABLE_ROWS = 200;

/** The prices over the life of the trade, with where it was placed, opened, stopped and closed. */
export function TradeChart({ detail }: { detail: TradeDetail }) {
  const { chart, trade } = detail;
  const points = pointsOf(chart);
  if (points.length < 2) {
    return (
      <Panel title="Prices">
        <div className={classes.empty}>
          <ListState icon={<IconChartCandle size={20} stroke={1.5} />} title="No prices yet">
            They are drawn here as they come.
          </ListState>
        </div>
      </Panel>
    );
  }
  const span = spanOf(chart);
  const levels = levelsOf(detail);
  const scale = scaleOf(chart, levels);
  const pins = pinsOf(detail, span);
  return (
    <Panel title="Prices" control={chart.kind === 'ticks' ? 'each mark' : `${chart.interval} candles`}>
      <ChartFrame
        summary={summaryOf(detail)}
        height={HEIGHT_PX}
        legend={
          <>
            <LegendLine look="plain">{chart.kind === 'ticks' ? 'Mark' : 'Hollow bars closed higher'}</LegendLine>
            {trade.open_price !== null && <LegendLine look="accent">Bought at</LegendLine>}
            {levels.some(({ look }) => look !== 'entry') && <LegendLine look="dashed">Sold at, stops</LegendLine>}
          </>
        }
        table={tableOf(chart, trade.symbol)}
      >
        <div className={classes.picture}>
          <div className={classes.plot}>
            <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
              {scale.ticks.map((tick) => (
                <path key={tick} d={`M0 ${yOf(tick, scale)}H${WIDTH}`} className={classes.grid} />
              ))}
              <Prices chart={chart} span={span} scale={scale} />
              {pins.map(({ numbers, x }) => (
                <path key={numbers} d={`M${x} 0V${HEIGHT}`} className={classes.instant} />
              ))}
              {levels.map(({ name, price, look }) => (
                <path key={name} d={`M0 ${yOf(price, scale)}H${WIDTH}`} className={classes.level} data-look={look} />
              ))}
            </svg>
            {levels
              .filter(({ price }) => price >= scale.min && price <= scale.max)
              .map((level) => (
                <Tag key={level.name} level={level} scale={scale} symbol={trade.symbol} />
              ))}
            {pins.map(({ numbers, x }) => (
              <b key={numbers} className={classes.pin} style={{ left: `calc((100% - var(--axis)) * ${x / WIDTH})` }}>
                {numbers}
              </b>
            ))}
            {scale.ticks.map((tick) => (
              <span key={tick} className={classes.value} style={{ top: `${yOf(tick, scale)}%` }}>
                {axisPrice(tick, scale, trade.symbol)}
              </span>
            ))}
          </div>
          <Times span={span} />
        </div>
      </ChartFrame>
    </Panel>
  );
}

function Prices({ chart, span, scale }: { chart: Chart; span: Span; scale: Scale }) {
  if (chart.kind === 'ticks') return <path d={stepPath(pointsOf(chart), span, scale)} className={classes.line} />;
  return barsOf(chart, span, scale).map(({ x, width, top, bottom, high, low, isUp }) => (
    <g key={x} className={classes.bar} data-tone={isUp ? 'gain' : 'loss'}>
      <path d={`M${x} ${high}V${top}M${x} ${bottom}V${low}`} />
      <rect x={x - width / 2} y={top} width={width} height={Math.max(bottom - top, 0.2)} />
    </g>
  ));
}

const Tag = ({ level, scale, symbol }: { level: Level; scale: Scale; symbol: string }) => (
  <span className={classes.tag} data-look={level.look} style={{ top: `${yOf(level.price, scale)}%` }}>
    {level.name} {formatPrice(level.price, symbol)}
  </span>
);

function Times({ span }: { span: Span }) {
  const isLong = span.to - span.from > DAY_MS;
  return (
    <div className={classes.times}>
      {Array.from({ length: TIMES }, (_, index) => span.from + ((span.to - span.from) * index) / (TIMES - 1)).map(
        (at) => (
          <span key={at}>{isLong ? formatDay(at) : formatTime(at)}</span>
        ),
      )}
    </div>
  );
}

/** Lines that are closer than the coin's own step need more digits to tell them apart. */
function axisPrice(tick: number, { ticks }: Scale, symbol: string): string {
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  const digits = Math.max(priceDecimals(symbol, tick), Math.ceil(-Math.log10(step)));
  return tick.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function tableOf(chart: Chart, symbol: string) {
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
