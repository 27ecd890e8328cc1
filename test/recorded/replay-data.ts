import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Row } from './recordings.ts';

/** A small recording: four days of 15-minute candles of three coins in a fixed sawtooth. */
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

/** An independent version of the replay path of a candle: open, low and high (high and low if it falls), close. */
export function pathOf(candles: readonly Row[], stepMs: number): { at: number; price: number }[] {
  return candles.flatMap(({ at, open, high, low, close }) => {
    const [second, third] = Number(close) < Number(open) ? [high, low] : [low, high];
    return [open, second, third, close].map((price, quarter) => ({
      at: at + (quarter * stepMs) / 4,
      price: Number(price),
    }));
  });
}

/** Time-weighted average of the marks over [from, to), each in force until the next. */
export function averageOver(path: readonly { at: number; price: number }[], from: number, to: number): number {
  const inForce = path.filter((tick) => tick.at <= from).at(-1);
  const marks = [
    ...(inForce ? [{ at: from, price: inForce.price }] : []),
    ...path.filter((tick) => tick.at > from && tick.at < to),
  ];
  const weighted = marks.reduce((sum, mark, index) => sum + mark.price * ((marks[index + 1]?.at ?? to) - mark.at), 0);
  return weighted / (to - from);
}
