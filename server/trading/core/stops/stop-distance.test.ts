import { expect, test } from 'vitest';
import { stopDistance } from '../../portfolio/get-portfolio.ts';

/** 250 dollars, bought at a mark of 100, which is still 100. */
const position = {
  amount: 250_000_000n,
  fee: 1_000_000n,
  openPrice: '100.05',
  mark: '100',
  spreadBps: 10,
  performanceBps: 1000,
};

test('a stop-loss below the mark has a negative distance, and states the loss there', () => {
  const { percent, result, difference } = stopDistance(position, '98.049');
  expect(percent).toBeCloseTo(-1.951, 10);
  // 249 × 98.049 × 0.9995 ÷ 100.05 = 243.897990; less 250. Now: 249 × 99.95 ÷ 100.05 = 248.751124…; less 250.
  expect(result).toBe(-6_102_010n);
  expect(difference).toBe(-6_102_010n + 1_248_876n);
});

test('a take-profit above the mark states the gain there, less the performance fee', () => {
  const { percent, result } = stopDistance(position, '110.055');
  expect(percent).toBeCloseTo(10.055, 10);
  // 249 × 109.9999725 ÷ 100.05 = 273.763050…; over 250 by 23.763050, a tenth of it, 2.376305, is the fee.
  expect(result).toBe(21_386_745n);
});

test('a level that the mark has reached has no distance', () => {
  expect(stopDistance(position, '100')).toMatchObject({ percent: 0, difference: 0n });
});
