import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/** Recorded candles, where they lie beside the project. */
export const recordedCandles = join(import.meta.dirname, '../../shared/data/candles');
export const hasRecordedCandles = existsSync(join(recordedCandles, '1m/btc.csv.gz'));

export type CandleRow = {
  readonly at: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
};

/** A small recording of our own making: four days of 15-minute candles of three coins on a fixed saw. */
export function makeReplayFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const begin = Date.UTC(2026, 2, 2) / 1000;
  for (const [coin, base] of [
    ['btc', 60_000],
    ['eth', 3000],
    ['sol', 140],
  ] as const) {
    const rows = Array.from({ length: 4 * 96 }, (_, index) => {
      const open = base * (1 + 0.002 * saw(index));
      const close = base * (1 + 0.002 * saw(index + 1));
      const high = Math.max(open, close) * 1.001;
      const low = Math.min(open, close) * 0.999;
      return [begin + index * 900, ...[open, high, low, close].map((price) => price.toFixed(2)), '12.5'].join(',');
    });
    writeFileSync(
      join(folder, `${coin}.csv.gz`),
      gzipSync(`time_utc_seconds,open,high,low,close,volume\n${rows.join('\n')}\n`),
    );
  }
  return folder;
}

const saw = (index: number) => ((index * 7) % 23) - 11;

export function readCandles(folder: string, coin: string): CandleRow[] {
  const lines = gunzipSync(readFileSync(join(folder, `${coin}.csv.gz`)))
    .toString()
    .trim()
    .split('\n')
    .slice(1);
  return lines.map((line) => {
    const [at = 0, open = 0, high = 0, low = 0, close = 0] = line.split(',').map(Number);
    return { at, open, high, low, close };
  });
}

/** How product.md section 3 plays a candle, written down a second time, from the page and not from the code. */
export function pathOf(candles: readonly CandleRow[]): { at: number; price: number }[] {
  const step = (candles[1]?.at ?? 0) - (candles[0]?.at ?? 0);
  return candles.flatMap(({ at, open, high, low, close }) => {
    const [second, third] = close < open ? [high, low] : [low, high];
    return [
      { at, price: open },
      { at: at + step / 4, price: second },
      { at: at + step / 2, price: third },
      { at: at + (3 * step) / 4, price: close },
    ];
  });
}

/** Time-weighted average of the marks over [from, to), each holding until the next. */
export function averageOver(path: readonly { at: number; price: number }[], from: number, to: number): number {
  const inForce = path.filter((tick) => tick.at <= from).at(-1);
  const marks = [
    ...(inForce ? [{ at: from, price: inForce.price }] : []),
    ...path.filter((tick) => tick.at > from && tick.at < to),
  ];
  const weighted = marks.reduce((sum, mark, index) => sum + mark.price * ((marks[index + 1]?.at ?? to) - mark.at), 0);
  return weighted / (to - from);
}
