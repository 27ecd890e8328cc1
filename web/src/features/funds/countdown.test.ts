import { expect, test } from 'vitest';
import { timeLeft } from './countdown.ts';

const until = new Date('2026-03-04T14:00:00.000Z');

test.each([
  ['2026-03-04T13:00:00.000Z', '1:00:00'],
  ['2026-03-04T11:54:55.000Z', '2:05:05'],
  ['2026-03-04T13:00:01.000Z', '59:59'],
  ['2026-03-04T13:13:12.000Z', '46:48'],
  ['2026-03-04T13:59:55.000Z', '0:05'],
  // a second that has begun still counts
  ['2026-03-04T13:59:59.999Z', '0:01'],
  ['2026-03-04T14:00:00.000Z', '0:00'],
  ['2026-03-04T15:00:00.000Z', '0:00'],
])('at %s the clock shows %s', (now, shown) => {
  expect(timeLeft(until, new Date(now))).toBe(shown);
});
