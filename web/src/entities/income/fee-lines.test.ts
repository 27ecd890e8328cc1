import { expect, test } from 'vitest';
import { feeLines, ofGain, percentWords, rateLabel } from './fee-lines.ts';

test.each([
  [550, 40, { fee: 2.2, position: 547.8 }],
  [5, 40, { fee: 0.02, position: 4.98 }],
  [1, 40, { fee: 0.004, position: 0.996 }],
  [550, 30, { fee: 1.65, position: 548.35 }],
  [550, 0, { fee: 0, position: 550 }],
  // 0.40 % of 33.333333 is 0.133333332: the ledger rounds the share down, what is left stays in the position.
  [33.333333, 40, { fee: 0.133333, position: 33.2 }],
  [1_000_000_000, 40, { fee: 4_000_000, position: 996_000_000 }],
])('of %d dollars at %d basis points', (amount, tradeBps, lines) => {
  expect(feeLines(amount, tradeBps)).toEqual(lines);
});

test.each([null, 0, -5, Number.NaN, Number.POSITIVE_INFINITY])('%s is no amount yet', (amount) => {
  expect(feeLines(amount, 40)).toBeNull();
});

test('nothing is said of a rate that is not known', () => {
  expect(feeLines(550, undefined)).toBeNull();
  expect(rateLabel('Trade fee', undefined)).toBe('Trade fee');
  expect(ofGain(undefined)).toBe('–');
});

test('rates are said as percent', () => {
  expect(percentWords(40)).toBe('0.40%');
  expect(percentWords(1000)).toBe('10%');
  expect(rateLabel('Trade fee', 40)).toBe('Trade fee, 0.40%');
  expect(ofGain(1000)).toBe('10% of a gain');
});
