import { expect, test } from 'vitest';
import { isStale } from './price-guard.ts';

const mark = Date.parse('2026-03-04T12:30:45Z');

test.each([
  ['one-minute candles wait three minutes after the next tick was due', 60, 15 + 180],
  ['quarter-hour candles wait three quarters of an hour', 900, 225 + 2700],
  ['ten-second candles wait the least, one minute', 10, 2.5 + 60],
])('%s', (_, stepSeconds, seconds) => {
  expect(isStale(mark, mark + seconds * 1000, stepSeconds)).toBe(false);
  expect(isStale(mark, mark + seconds * 1000 + 1, stepSeconds)).toBe(true);
});

test('without a mark an asset is stale', () => {
  expect(isStale(null, mark, 60)).toBe(true);
});
