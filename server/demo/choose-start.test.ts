import { expect, test } from 'vitest';
import { chooseDemoStart } from './choose-start.ts';

test.each([
  ['2026-11-21T08:00:00Z', '2026-10-30T12:20:00.000Z'],
  ['2026-11-01T00:00:00Z', '2026-10-30T12:20:00.000Z'],
  ['2026-10-31T23:59:59Z', '2026-07-30T12:20:00.000Z'],
  ['2027-01-15T12:00:00Z', '2026-10-30T12:20:00.000Z'],
  ['2027-02-01T12:00:00Z', '2027-01-30T12:20:00.000Z'],
])('started at %s, the four past sessions from %s on include the end of a week and of a month', (now, start) => {
  const begins = chooseDemoStart(new Date(now));
  expect(begins.toISOString()).toBe(start);
  const days = [0, 1, 2, 3, 4].map((day) => new Date(begins.getTime() + day * 86_400_000));
  expect(days.slice(1).some((day) => day.getUTCDate() === 1)).toBe(true);
  expect(days.slice(1).some((day) => day.getUTCDay() === 1)).toBe(true);
});
