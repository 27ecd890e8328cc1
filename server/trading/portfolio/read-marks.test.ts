import { expect, test } from 'vitest';
import { parsePrice } from '../core/price.ts';
import { averageOf, heldMarks } from './read-marks.ts';

const MINUTE_MS = 60_000;
const mark = (price: string, second: number) => ({ price, atMs: second * 1000 });
/** Before the minute, 15 s into it, and 45 s into it. */
const marks = [mark('100', -15), mark('102', 15), mark('101', 45)];

test('each mark of a minute with how long it held, the one in force at its beginning included', () => {
  expect(heldMarks(marks, 0, MINUTE_MS)).toEqual([
    { price: '100', ms: 15_000 },
    { price: '102', ms: 30_000 },
    { price: '101', ms: 15_000 },
  ]);
});

test('without the mark in force at the beginning nothing is said of the minute', () => {
  expect(heldMarks(marks.slice(1), 0, MINUTE_MS)).toEqual([]);
  expect(heldMarks([], 0, MINUTE_MS)).toEqual([]);
});

test('marks after the minute are no part of it', () => {
  expect(heldMarks([...marks, mark('500', 60)], 0, MINUTE_MS)).toHaveLength(3);
});

test('the average weighs each by its time', () => {
  expect(averageOf(heldMarks(marks, 0, MINUTE_MS))).toBe(parsePrice('101.25'));
});
