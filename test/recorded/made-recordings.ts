import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { symbols } from '#contract/rules.ts';
import { seededRandom } from './made-candles.ts';

/**
 * Deterministic recordings in the format and size of an exchange's, with what those rarely contain: a fall of 34 %
 * within one candle, missing candles, an hour without prices, and candles without trades.
 */
export type Made = {
  readonly from: string;
  readonly days: number;
  readonly stepSeconds: number;
  /** Whether turnover is in coins or in dollars. */
  readonly turnover: 'volume' | 'quote_volume';
  /** The largest move of a price within a candle, and the largest wick beyond it. */
  readonly most: number;
};

export const madeMinutes: Made = {
  from: '2026-01-05T21:00:00Z',
  days: 6,
  stepSeconds: 60,
  turnover: 'quote_volume',
  most: 0.0018,
};
export const madeQuarters: Made = {
  from: '2026-01-01T00:00:00Z',
  days: 90,
  stepSeconds: 900,
  turnover: 'volume',
  most: 0.006,
};

const DAY = 86_400;
const minuteOfDay = (hours: number, minutes: number) => (hours * 60 + minutes) * 60;

/** On every thirtieth day, from the third on, all prices fall in the candle of 14:30. */
const FALL = { everyDays: 30, day: 2, second: minuteOfDay(14, 30), low: 0.66, close: 0.9 };
/** A different coin each day has no price in this hour. */
const STALE = { from: minuteOfDay(15, 0), to: minuteOfDay(16, 0) };
/** Sessions close at fresh prices; stale ones have separate tests. */
const CLOSING = { from: minuteOfDay(17, 15), to: minuteOfDay(17, 30) };
const HOLES = 1 / 250;
const NOTHING_TRADED = 1 / 40;

/** Realistic price levels, so that some prices have few digits before the point and others many after it. */
const firstPrices = [0.27, 0.071, 3.4, 24, 61, 340, 2700, 108_000];

/** The lines of one coin: `time,open,high,low,close,traded`. */
export function madeLines(symbol: string, { from, days, stepSeconds, turnover, most }: Made): string[] {
  const coin = symbols.indexOf(symbol);
  const random = seededRandom(1000 + coin);
  const moved = (price: number, share: number) => Number((price * (1 + share)).toPrecision(7));
  const begin = Date.parse(from) / 1000;
  const firstDay = Math.floor(begin / DAY);
  let close = moved(firstPrices[coin % firstPrices.length] as number, random() / 10);
  return Array.from({ length: (days * DAY) / stepSeconds }, (_, index) => {
    const at = begin + index * stepSeconds;
    const day = Math.floor(at / DAY) - firstDay;
    const [move, up, down, traded, luck] = [random(), random(), random(), random(), random()];
    const second = at % DAY;
    const isWithin = (stretch: { from: number; to: number }) => second >= stretch.from && second < stretch.to;
    const open = close;
    if (second === FALL.second && day % FALL.everyDays === FALL.day) {
      close = moved(open, FALL.close - 1);
      return line(at, [open, open, moved(open, FALL.low - 1), close], 900);
    }
    if (isWithin(STALE) && day % symbols.length === coin) return line(at, ['', '', '', ''], 0);
    if (luck < HOLES && !isWithin(CLOSING)) return line(at, ['', '', '', ''], 0);
    if (luck > 1 - NOTHING_TRADED) return line(at, [open, open, open, open], 0);
    close = moved(open, (2 * move - 1) * most);
    const high = Math.max(open, close, moved(Math.max(open, close), up * most));
    const low = Math.min(open, close, moved(Math.min(open, close), -down * most));
    const dollars = 1 + traded * 1_000_000;
    return line(at, [open, high, low, close], (turnover === 'volume' ? dollars / close : dollars).toFixed(4));
  });
}

const line = (at: number, prices: readonly (number | string)[], traded: number | string): string =>
  [at, ...prices, traded].join(',');

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/tradewind-recordings');

/** A folder for `REPLAY_DATA` with all 16 coins. It is cached by its parameters and the source of the generator. */
export function makeRecording(made: Made): string {
  const heading = `time_utc_seconds,open,high,low,close,${made.turnover}`;
  const how = ['made-recordings.ts', 'made-candles.ts'].map((name) => readFileSync(join(import.meta.dirname, name)));
  const folder = join(
    CACHE,
    createHash('sha256')
      .update(JSON.stringify([made, symbols, how.join()]))
      .digest('hex'),
  );
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const begun = mkdtempSync(join(CACHE, 'begun-'));
  for (const symbol of symbols) {
    const text = [heading, ...madeLines(symbol, made), ''].join('\n');
    writeFileSync(join(begun, `${symbol}.csv.gz`), gzipSync(text, { level: 1 }));
  }
  try {
    renameSync(begun, folder);
  } catch (error) {
    // Another process has created the same folder first.
    if (!existsSync(folder)) throw error;
    rmSync(begun, { recursive: true });
  }
  return folder;
}
