import { expect, test } from 'vitest';
import { startServer } from '../server-process.ts';
import { sizes } from './browser.ts';
import { beginJourney, endJourney, findTrade } from './journey.ts';
import { openStage } from './stage.ts';

/**
 * The main journey in a real browser, on a server as a newcomer starts it: a process of its own with an embedded database
 * and a simulated market, which goes on by itself.
 */
/** Making an embedded database beside two other browsers takes longer than alone. */
const PATIENCE_SECONDS = 170;

const stage = openStage(() => startServer({ MARKET_SPEED: '900' }, PATIENCE_SECONDS));

test('a member signs up, deposits, trades and finds the result, on a desktop and on a phone', async () => {
  // Both at once: one session is waited for instead of two.
  await Promise.all([playJourney('desktop'), playJourney('mobile')]);
});

async function playJourney(size: keyof typeof sizes): Promise<void> {
  const { page, faults, close } = await stage.openPage({ viewport: sizes[size], timezoneId: 'Asia/Dubai' });
  await beginJourney(page, size);
  const isSettled = async () => (await findTrade(page))?.state === 'settled';
  await expect.poll(isSettled, { timeout: 120_000, interval: 500 }).toBe(true);
  await endJourney(page);
  expect(faults).toEqual([]);
  await close();
}
