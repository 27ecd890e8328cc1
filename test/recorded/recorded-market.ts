import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { symbols } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import { advanceMarket, getMarketTime } from '#server/market/index.ts';

const MINUTE_MS = 60_000;

/** Open, high, low and close as decimal text; null where the exchange had no price. */
export type RecordedCandle = readonly [open: string, high: string, low: string, close: string] | null;

/** A recording for a test: `minutes` of candles from `from` on, of one minute by default. */
export type MadeRecording = {
  readonly from: string;
  readonly minutes: number;
  readonly stepMinutes?: number;
  readonly candle: (symbol: string, at: Date) => RecordedCandle;
  /** The coins that have a file; by default all 16. */
  readonly symbols?: readonly string[];
};

/** Writes a recording for `REPLAY_DATA`. `remove` deletes the folder. */
export function recordMarket(recording: MadeRecording): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-recording-'));
  for (const symbol of recording.symbols ?? symbols) {
    const { stepMinutes = 1 } = recording;
    const lines = Array.from({ length: recording.minutes / stepMinutes }, (_, index) => {
      const at = new Date(Date.parse(recording.from) + index * stepMinutes * MINUTE_MS);
      return [at.getTime() / 1000, ...(recording.candle(symbol, at) ?? ['', '', '', '']), 1].join(',');
    });
    const text = ['time_utc_seconds,open,high,low,close,quote_volume', ...lines, ''].join('\n');
    writeFileSync(join(folder, `${symbol}.csv.gz`), gzipSync(text));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A candle that stays at one price. */
export const still = (price: string): RecordedCandle => [price, price, price, price];

/** The engine's longest step, in real time. */
const STEP_MS = 2000;

/**
 * Moves the market to a time (or to the end of the recording) in the engine's own steps, and calls `follow` after each.
 * The last step ends exactly there.
 */
export async function playUntil(context: Context, until: string | Date, follow: () => Promise<unknown>): Promise<Date> {
  const goalMs = new Date(until).getTime();
  const { speed } = context.config.market;
  let marketAt = await getMarketTime(context.db);
  while (marketAt.getTime() < goalMs) {
    const elapsedMs = Math.min(STEP_MS, (goalMs - marketAt.getTime()) / speed);
    const { marketAt: reached } = await advanceMarket(context, { elapsedMs });
    await follow();
    if (reached.getTime() === marketAt.getTime()) return reached;
    marketAt = reached;
  }
  return marketAt;
}
