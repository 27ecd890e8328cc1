import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { aggregateCandles, type FeedCandle } from '../core/candle.ts';
import { createRandomMarket } from '../core/random-market.ts';

/** Generated candles of one coin over [from, to), aggregated to the step. */
export function makeCandles(symbol: string, from: string, to: string, stepSeconds: number): FeedCandle[] {
  const minutes = createRandomMarket('made').listMinutes(symbol, Date.parse(from), Date.parse(to));
  return aggregateCandles(minutes, stepSeconds);
}

/** One line of a recording; null prices are an intended gap. */
export const toLine = ({ atMs, open, high, low, close, volume }: FeedCandle): string =>
  [atMs / 1000, open, high, low, close, volume].join(',');
const toHole = ({ atMs }: FeedCandle): string => `${atMs / 1000},,,,,0`;

/** Lines of generated minutes over [from, to), with a gap over [since, until). */
export const makeHoled = (symbol: string, [from, to]: [string, string], [since, until]: [string, string]): string[] =>
  makeCandles(symbol, from, to, 60).map((candle) =>
    candle.atMs >= Date.parse(since) && candle.atMs < Date.parse(until) ? toHole(candle) : toLine(candle),
  );

/** Removed after the test or file that creates it. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-market-candles-'));
  closeAfterAll({ close: () => rmSync(folder, { recursive: true, force: true }) });
  return folder;
}

/** A folder as REPLAY_DATA expects it: `<symbol>.csv.gz` with the given lines, volume in dollars. */
export function writeRecording(linesOf: Record<string, readonly string[]>, folder = makeFolder()): string {
  for (const [symbol, lines] of Object.entries(linesOf)) {
    writeFileSync(join(folder, `${symbol}.csv.gz`), zip(lines));
  }
  return folder;
}

const zip = (lines: readonly string[]): Buffer =>
  gzipSync(['time_utc_seconds,open,high,low,close,quote_volume', ...lines, ''].join('\n'));

/** A recording of generated candles: the same range and step for every coin. */
export function recordMade(symbols: readonly string[], from: string, to: string, stepSeconds = 60): string {
  const folder = makeFolder();
  for (const symbol of symbols)
    writeFileSync(join(folder, `${symbol}.csv.gz`), madeFile(symbol, from, to, stepSeconds));
  return folder;
}

const madeFiles = new Map<string, Buffer>();

/** Generated once: many tests begin with the same file. */
function madeFile(symbol: string, from: string, to: string, stepSeconds: number): Buffer {
  const key = [symbol, from, to, stepSeconds].join();
  const file = madeFiles.get(key) ?? zip(makeCandles(symbol, from, to, stepSeconds).map(toLine));
  madeFiles.set(key, file);
  return file;
}
