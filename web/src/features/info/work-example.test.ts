import { expect, test } from 'vitest';
import { workExample } from './work-example.ts';

// By hand: fee 250 × 0.40 % = 1, position 249; 249 × (close × 0.9995) ÷ (68,000 × 1.0005), rounded down to a micro;
// a tenth of what is above 250, rounded down.
test.each([
  ['rises 2 %', 69_360, { proceeds: 253.726146, performanceFee: 0.372614, result: 3.353532 }],
  ['does not move', 68_000, { proceeds: 248.751124, performanceFee: 0, result: -1.248876 }],
  ['falls 2 %', 66_640, { proceeds: 243.776101, performanceFee: 0, result: -6.223899 }],
])('250 on a price that %s', (_name, closeMark, expected) => {
  expect(workExample({ amount: 250, openMark: 68_000, closeMark })).toMatchObject({
    fee: 1,
    position: 249,
    openPrice: 68_034,
    ...expected,
  });
});

test('a price of zero loses the amount and not more', () => {
  expect(workExample({ amount: 250, openMark: 68_000, closeMark: 0 }).result).toBe(-250);
});
