import { Decimal } from 'decimal.js';
import { type FeedCandle, roundToCents } from './candle.ts';
import { isWholeCandle } from './past-candles.ts';

export type Recording = {
  readonly stepSeconds: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly candles: readonly FeedCandle[];
};
/** The problem with a file, starting with its line. */
type BadRecording = { readonly problem: string };

const PRICE_COLUMNS = 'time_utc_seconds,open,high,low,close';
const DAY_SECONDS = 86_400;
/** A number holds a decimal of 15 digits exactly; with the point that is 16 characters. */
const EXACT_DECIMAL = /^(?=.{1,16}$)\d{1,12}(\.\d+)?$/;
const WHOLE = /^\d{1,12}$/;

/**
 * Parses the recorded candles of one coin: lines of `time_utc_seconds,open,high,low,close` and either `volume` (coins,
 * converted to dollars at the close) or `quote_volume` (dollars). The step is derived from the times. Refused, with the
 * line: another heading, times out of order, gaps, prices that are not positive decimals of at most 15 digits, and
 * candles whose low and high do not enclose open and close. A line with a time and four empty prices is an explicit
 * gap: the exchange had no price then.
 *
 * Worked: `1750107600,100,104,99,103,2` under `…,volume` is the candle of 2025-06-16 21:00 with a turnover of 2 × 103 =
 * $206.
 */
export function readRecording(text: string): Recording | BadRecording {
  const lines = text.trimEnd().split(/\r?\n/);
  const [heading, ...rows] = lines;
  const isDollars = heading === `${PRICE_COLUMNS},quote_volume`;
  if (!isDollars && heading !== `${PRICE_COLUMNS},volume`) {
    return { problem: `line 1: expected ${PRICE_COLUMNS} and volume or quote_volume` };
  }
  if (rows.length < 2) return { problem: 'line 2: a recording has at least two candles' };
  const fields = rows.map((row) => row.split(','));
  const times = readTimes(fields);
  if ('problem' in times) return times;
  const candles: FeedCandle[] = [];
  for (const [index, row] of fields.entries()) {
    const candle = readCandle(row, times.startsMs[index] as number, isDollars);
    if (typeof candle === 'string') return { problem: `line ${index + 2}: ${candle}` };
    if (candle !== null) candles.push(candle);
  }
  const stepMs = times.stepSeconds * 1000;
  const fromMs = times.startsMs[0] as number;
  return { stepSeconds: times.stepSeconds, fromMs, toMs: fromMs + rows.length * stepMs, candles };
}

function readTimes(fields: readonly string[][]): { stepSeconds: number; startsMs: number[] } | BadRecording {
  const seconds: number[] = [];
  let stepSeconds = Number.POSITIVE_INFINITY;
  for (const [index, row] of fields.entries()) {
    const time = row[0] ?? '';
    if (!WHOLE.test(time)) return { problem: `line ${index + 2}: the time is not a whole number of seconds` };
    const step = Number(time) - (seconds.at(-1) ?? Number.NEGATIVE_INFINITY);
    if (step <= 0) return { problem: `line ${index + 2}: the time is not later than the one before` };
    stepSeconds = Math.min(stepSeconds, step);
    seconds.push(Number(time));
  }
  if (DAY_SECONDS % stepSeconds !== 0)
    return { problem: `line 3: candles of ${stepSeconds} seconds do not fill a day` };
  const first = seconds[0] as number;
  if (first % stepSeconds !== 0) return { problem: `line 2: the time is no boundary of ${stepSeconds}-second candles` };
  const gap = seconds.findIndex((second, index) => second !== first + index * stepSeconds);
  if (gap !== -1)
    return {
      problem: `line ${gap + 2}: a gap of ${(seconds[gap] as number) - (seconds[gap - 1] as number)} seconds between candles of ${stepSeconds}`,
    };
  return { stepSeconds, startsMs: seconds.map((second) => second * 1000) };
}

/** The candle of a line, null for a gap, or the problem. */
function readCandle(row: readonly string[], atMs: number, isDollars: boolean): FeedCandle | null | string {
  if (row.length !== 6) return `expected 6 values, found ${row.length}`;
  const texts = row.slice(1, 5);
  if (texts.every((text) => text === '')) return null;
  if (!texts.every((text) => EXACT_DECIMAL.test(text))) return 'a price is not a decimal of at most 15 digits';
  const [open, high, low, close] = texts.map(Number) as [number, number, number, number];
  if (low <= 0) return 'a price is not positive';
  if (low > Math.min(open, close) || high < Math.max(open, close)) return 'low and high do not enclose open and close';
  const traded = row[5]?.trim() === '' ? Number.NaN : Number(row[5]);
  const volume = roundToCents(isDollars ? traded : traded * close);
  if (!Number.isFinite(volume) || traded < 0) return 'the volume is not a number from zero up';
  return { atMs, open, high, low, close, volume };
}

/** The heading of a recording whose turnover is counted in coins. */
export const recordingHeading = 'time_utc_seconds,open,high,low,close,volume';

/** A recording's price has 15 digits and a point at most (core/recording.ts). */
const MAX_DECIMAL = 16;

/**
 * The lines of a recording for candles that open in [fromMs, toMs), one per step; a missing or invalid candle is an
 * explicit gap. `candles` are in time order.
 *
 * Worked, 60 s from 12:00 to 12:02, with the candle of 12:01 alone (100, 104, 99, 103, 2 coins): `1772625600,,,,,0` and
 * `1772625660,100,104,99,103,2`.
 */
export function recordingLines(
  candles: readonly (Omit<FeedCandle, 'volume'> & { readonly coins: number })[],
  stretch: { readonly fromMs: number; readonly toMs: number; readonly stepSeconds: number },
): string[] {
  const byTime = new Map(candles.filter(isWholeCandle).map((candle) => [candle.atMs, candle]));
  const lines: string[] = [];
  for (let atMs = stretch.fromMs; atMs < stretch.toMs; atMs += stretch.stepSeconds * 1000) {
    const candle = byTime.get(atMs);
    const { open, high, low, close, coins } = candle ?? {};
    const prices = [open, high, low, close].map((price) => (price === undefined ? '' : toDecimal(price)));
    lines.push([atMs / 1000, ...prices, coins !== undefined && coins >= 0 ? toDecimal(coins) : '0'].join(','));
  }
  return lines;
}

/** The number without an exponent, rounded to fit; rounding preserves the order of prices. */
function toDecimal(value: number): string {
  const exact = new Decimal(value);
  const text = exact.toFixed();
  if (text.length <= MAX_DECIMAL) return text;
  return exact.toDecimalPlaces(MAX_DECIMAL - 1 - exact.trunc().toFixed().length).toFixed();
}
