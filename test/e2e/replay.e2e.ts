import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Trade } from '#contract/trading/trading.ts';
import { openMinutes, readRows } from '#test/recorded/recordings.ts';
import { averageOver, makeReplayFolder, pathOf } from '#test/recorded/replay-data.ts';
import { openBrowser, sizes } from './browser.ts';
import { beginJourney, endJourney, findTrade } from './journey.ts';
import { watch } from './stage.ts';
import { openEmptyWorld } from './world-in-process.ts';

/** The main journey on recorded prices: the result shown to the member is recalculated from the recording. */
const made = mkdtempSync(join(tmpdir(), 'tradewind-replay-'));

type Played = { name: string; folder: string; stepMs: number; size: keyof typeof sizes };

const recordings: Played[] = [
  { name: 'a_few', folder: makeReplayFolder(made), stepMs: 900_000, size: 'desktop' },
  { name: 'days_of', ...openMinutes(inject('recordings')), size: 'mobile' },
];

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  rmSync(made, { recursive: true, force: true });
});

test.each(recordings)(
  'on $name candles a member signs up, deposits, trades and finds the result ($size)',
  async ({ name, folder, stepMs, size }) => {
    const world = await openEmptyWorld(`replay_${name}`, { MARKET_FEED: 'replay', REPLAY_DATA: folder });
    const context = await browser.newContext({
      viewport: sizes[size],
      baseURL: world.origin,
      timezoneId: 'Asia/Dubai',
    });
    const page = await context.newPage();
    const faults = watch(page);
    await beginJourney(page, size);
    await world.playUntil(async () => (await findTrade(page))?.state === 'settled');
    checkAgainstCandles(await endJourney(page), folder, stepMs);
    expect(faults).toEqual([]);
    await context.close();
    await world.stop();
  },
);

/** Recalculates every figure of the trade from the recorded candles and the rules alone. */
function checkAgainstCandles(settled: Trade, folder: string, stepMs: number): void {
  const path = pathOf(readRows(folder, 'btc'), stepMs);
  const openMark = path.find((tick) => tick.at === Date.parse(settled.opened_at ?? ''))?.price ?? Number.NaN;
  expect(settled.open_price).toBeCloseTo(openMark * 1.0005, 6);
  expect(settled.close_reason).toBe('session_close');
  const closesAt = Date.parse(`${settled.opened_at?.slice(0, 10)}T17:30:00Z`);
  expect(settled.close_price).toBeCloseTo(averageOver(path, closesAt - 60_000, closesAt) * 0.9995, 6);
  const proceeds = (249 * (settled.close_price as number)) / (settled.open_price as number);
  const performanceFee = Math.max(0, proceeds - 250) * 0.1;
  expect(settled.gross).toBeCloseTo(proceeds - 249, 5);
  expect(settled.performance_fee).toBeCloseTo(performanceFee, 5);
  expect(settled.result).toBeCloseTo(proceeds - 250 - performanceFee, 5);
}
