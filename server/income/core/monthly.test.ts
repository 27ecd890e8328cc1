import { expect, test } from 'vitest';
import { toMicros } from '#contract/money.ts';
import { paidPart, scaleOf } from './monthly.ts';

const $ = toMicros;

test.each([
  [5, 4, 1],
  [4, 4, 1],
  [3, 4, 0.75],
  [0, 4, 0],
  [0, 0, 1],
])('with %s $ in the pool for %s $ all are scaled by %s', (pool, total, scale) => {
  expect(scaleOf($(pool), $(total))).toBe(scale);
});

test('coverage is paid divided by nominal, and unknown where nothing was due', () => {
  expect(paidPart($(1.5), $(2))).toBe(0.75);
  expect(paidPart(0n, $(2))).toBe(0);
  expect(paidPart(0n, 0n)).toBeNull();
});
