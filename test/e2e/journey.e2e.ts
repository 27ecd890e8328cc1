import { expect, inject, test } from 'vitest';
import { startServer } from '#test/kit/server-process.ts';
import { sizes } from './browser.ts';
import { startEmptyServer } from './demo-world.ts';
import { beginJourney, endJourney, findTrade } from './journey.ts';
import { openStage } from './stage.ts';

/** Creating an embedded database takes longer while other browsers run. */
const PATIENCE_SECONDS = 170;

/**
 * The main journey in a real browser, on a process of its own whose simulated market runs by itself: in
 * `npm run test:full` as a newcomer starts it, with an embedded database.
 */
const stage = openStage(() =>
  inject('engine') === 'pglite'
    ? startServer({ MARKET_SPEED: '900' }, PATIENCE_SECONDS)
    : startEmptyServer('journey', { MARKET_SPEED: '900' }),
);

test('a member signs up, deposits, trades and finds the result, on a desktop and on a phone', async () => {
  // Both at the same time, to wait for one session rather than two.
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
