import { expect, test } from 'vitest';
import { periodMistake, readDay } from './period.ts';

test.each([
  ['2026-03-04', '2026-03-04'],
  ['2026-02-30', undefined],
  ['2026-3-4', undefined],
  ['today', undefined],
  ['', undefined],
  [null, undefined],
])('%j of an address is the day %j', (given, day) => {
  expect(readDay(given)).toBe(day);
});

test('a period of one day is one, a period that ends before it begins is none', () => {
  expect(periodMistake('2026-03-04', '2026-03-04')).toBeUndefined();
  expect(periodMistake('2026-03-04', undefined)).toBeUndefined();
  expect(periodMistake('2026-03-04', '2026-03-03')).toBe('The period ends before it begins.');
});
