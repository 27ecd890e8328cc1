import { expect, test } from 'vitest';
import { writeDay, writeMinute, writeMonth } from './day-text.ts';

test('days, months and minutes are written as on pages, in UTC', () => {
  expect(writeDay('2026-11-03')).toBe('3 Nov 2026');
  expect(writeDay('2026-09-30')).toBe('30 Sep 2026');
  expect(writeMonth('2026-03')).toBe('March 2026');
  expect(writeMinute(new Date('2026-12-31T23:59:59Z'))).toBe('31 Dec 2026, 23:59 UTC');
});
