import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { symbols } from '#contract/rules.ts';
import { type Made, madeMinutes, madeQuarters, makeRecording } from './made-recordings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of an exchange's recordings (`npm run test:recorded`); by default tests generate their own. */
    recordings?: string;
  }
}

/** A folder of candles of all coins, all of the same length. */
export type Recording = {
  readonly folder: string;
  readonly stepMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Openings of the sessions it covers completely, each with half a day before it. */
  readonly opens: readonly number[];
};

/** A candle with its prices as written in the file. */
export type Row = {
  readonly at: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
};

/** Of the recordings of an exchange: in words, if one of a coin is missing. */
export function findMissing(folder: string): string | undefined {
  const wanted = ['15m', '1m'].flatMap((step) => symbols.map((symbol) => join(folder, step, `${symbol}.csv.gz`)));
  const missing = wanted.filter((path) => !existsSync(path));
  return missing.length > 0 ? `${missing.length} of ${wanted.length} recordings are missing: ${missing[0]}` : undefined;
}

/** Recorded minutes: those in `given`/1m, or generated ones. */
export const openMinutes = (given: string | undefined): Recording =>
  openRecording(given && join(given, '1m'), madeMinutes);

/** Recorded quarters of an hour: those in `given`/15m, or generated ones. */
export const openQuarters = (given: string | undefined): Recording =>
  openRecording(given && join(given, '15m'), madeQuarters);

/**
 * Minutes in which every price falls by 34 % within one candle of the session of `opensAt` and recovers to 90 %.
 * Generated recordings contain such a fall; others are copied with one added.
 */
export function openFall(given: string | undefined): Recording & { opensAt: number; remove: () => void } {
  const minutes = openMinutes(given);
  const opensAt = minutes.opens[1] as number;
  if (given === undefined) return { ...minutes, opensAt, remove: () => {} };
  const folder = copyWithFall(minutes, opensAt + 2 * HOUR);
  return { ...minutes, opensAt, folder, remove: () => rmSync(folder, { recursive: true }) };
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const [OPEN, CLOSE] = [12.5 * HOUR, 17.5 * HOUR];

function openRecording(given: string | undefined, made: Made): Recording {
  const folder = given ?? makeRecording(made);
  const times = readLines(folder, symbols[0] as string).map(([seconds]) => Number(seconds) * 1000);
  const [fromMs, second] = times as [number, number];
  const stepMs = second - fromMs;
  const toMs = fromMs + times.length * stepMs;
  const days = Array.from(
    { length: Math.ceil((toMs - fromMs) / DAY) + 1 },
    (_, day) => fromMs - (fromMs % DAY) + day * DAY,
  );
  const opens = days.filter((day) => day + OPEN - DAY / 2 >= fromMs && day + CLOSE <= toMs).map((day) => day + OPEN);
  return { folder, stepMs, fromMs, toMs, opens };
}

function readLines(folder: string, symbol: string): string[][] {
  const text = gunzipSync(readFileSync(join(folder, `${symbol}.csv.gz`))).toString();
  const [, ...lines] = text.trim().split('\n');
  return lines.map((line) => line.split(','));
}

/** The candles of one coin, without missing ones. */
export function readRows(folder: string, symbol: string): Row[] {
  return readLines(folder, symbol)
    .filter(([, open]) => open !== '')
    .map((line) => {
      const [at, open, high, low, close] = line as [string, string, string, string, string];
      return { at: Number(at) * 1000, open, high, low, close };
    });
}

function copyWithFall({ folder }: Recording, at: number): string {
  const copy = mkdtempSync(join(tmpdir(), 'tradewind-fall-'));
  for (const symbol of symbols) {
    const lines = readRows(folder, symbol).map((row) => {
      const { open, high, low, close } = row.at === at ? fallOf(row) : row;
      return [row.at / 1000, open, high, low, close, 1].join(',');
    });
    const text = ['time_utc_seconds,open,high,low,close,quote_volume', ...lines, ''].join('\n');
    writeFileSync(join(copy, `${symbol}.csv.gz`), gzipSync(text));
  }
  return copy;
}

function fallOf({ at, open }: Row): Row {
  const part = (share: number) => String(Number((Number(open) * share).toPrecision(10)));
  return { at, open, high: open, low: part(0.66), close: part(0.9) };
}
