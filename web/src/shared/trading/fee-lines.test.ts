import { expect, test } from 'vitest';
import { feeLines, percentWords } from './fee-lines.ts';

test.each([
  [550, { fee: 2.2, position: 547.8 }],
  [5, { fee: 0.02, position: 4.98 }],
  [1, { fee: 0.004, position: 0.996 }],
  // 0.40 % of 33.333333 is 0.133333332: the ledger rounds the share down, what is left stays in the position.
  [33.333333, { fee: 0.133333, position: 33.2 }],
  [1_000_000_000, { fee: 4_000_000, position: 996_000_000 }],
])('of %d dollars', (amount, lines) => {
  expect(feeLines(amount)).toEqual(lines);
});

test.each([null, 0, -5, Number.NaN, Number.POSITIVE_INFINITY])('%s is no amount yet', (amount) => {
  expect(feeLines(amount)).toBeNull();
});

test('rates are said as percent', () => {
  expect(percentWords(40)).toBe('0.40%');
  expect(percentWords(1000)).toBe('10%');
});
