import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll } from 'vitest';
import { aggregateCandles, type FeedCandle } from './core/candle.ts';
import { createRandomMarket } from './core/random-market.ts';

/** Made candles of one coin over [from, to), put together to the step. */
export function makeCandles(symbol: string, from: string, to: string, stepSeconds: number): FeedCandle[] {
  const minutes = createRandomMarket('made').listMinutes(symbol, Date.parse(from), Date.parse(to));
  return aggregateCandles(minutes, stepSeconds);
}

/** One line of a recording; null prices are a hole on purpose. */
export const toLine = ({ atMs, open, high, low, close, volume }: FeedCandle): string =>
  [atMs / 1000, open, high, low, close, volume].join(',');
export const toHole = ({ atMs }: FeedCandle): string => `${atMs / 1000},,,,,0`;

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-market-candles-'));
  made.push(folder);
  return folder;
}

/** A folder as REPLAY_DATA wants it: `<symbol>.csv.gz` with the lines given, turnover in dollars. */
export function writeRecording(linesOf: Record<string, readonly string[]>, folder = makeFolder()): string {
  for (const [symbol, lines] of Object.entries(linesOf)) {
    const text = ['time_utc_seconds,open,high,low,close,quote_volume', ...lines, ''].join('\n');
    writeFileSync(join(folder, `${symbol}.csv.gz`), gzipSync(text));
  }
  return folder;
}

/** A recording of made candles: the same stretch and step for every coin named. */
export function recordMade(symbols: readonly string[], from: string, to: string, stepSeconds = 60): string {
  return writeRecording(
    Object.fromEntries(symbols.map((symbol) => [symbol, makeCandles(symbol, from, to, stepSeconds).map(toLine)])),
  );
}
