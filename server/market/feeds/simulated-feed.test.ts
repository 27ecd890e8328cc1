import { expect, test } from 'vitest';
import { openFeed } from './feed.ts';

const open = (start?: string) =>
  openFeed({
    feed: 'simulated',
    speed: 60,
    seed: 'a',
    start: start === undefined ? undefined : new Date(start),
    replayData: undefined,
  });

test('starts ten minutes before the opening of the real day, or at MARKET_START', async () => {
  const real = new Date('2026-03-04T18:00:00Z');
  expect((await open()).chooseStart(real)).toEqual(new Date('2026-03-04T12:20:00Z'));
  expect((await open('2024-01-01T09:00:00Z')).chooseStart(real)).toEqual(new Date('2024-01-01T09:00:00Z'));
});

test('never ends', async () => {
  expect((await open()).endsAt).toBeNull();
});

test('refuses a start whose history would precede the market', async () => {
  await expect(open('2020-03-31T23:59:59Z')).rejects.toThrow(
    /^MARKET_START: the simulated market can start from 2020-04-01/,
  );
  await expect(open('2020-04-01T00:00:00Z')).resolves.toMatchObject({ kind: 'simulated' });
});
