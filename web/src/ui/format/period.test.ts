import { expect, test } from 'vitest';
import { parseDay, periodError, readDay } from './period.ts';

test.each([
  ['2026-03-04', '2026-03-04'],
  ['2026-02-30', undefined],
  ['2026-3-4', undefined],
  ['today', undefined],
  ['', undefined],
  [null, undefined],
])('%j in an address is read as the day %j', (given, day) => {
  expect(readDay(given)).toBe(day);
});

test.each([
  ['3 Nov 2026', '2026-11-03'],
  [' 13 november 2026 ', '2026-11-13'],
  ['3 Sept. 2026', '2026-09-03'],
  ['2026-11-03', '2026-11-03'],
  ['31 Nov 2026', undefined],
  ['3 Now 2026', undefined],
  ['03/11/2026', undefined],
  ['3 Nov 202', undefined],
  ['', undefined],
])('%j as typed is read as the day %j', (typed, day) => {
  expect(parseDay(typed)).toBe(day);
});

test('a period of one day is valid, one that ends before it begins is not', () => {
  expect(periodError('2026-03-04', '2026-03-04')).toBeUndefined();
  expect(periodError('2026-03-04', undefined)).toBeUndefined();
  expect(periodError('2026-03-04', '2026-03-03')).toBe('The period ends before it begins.');
});
