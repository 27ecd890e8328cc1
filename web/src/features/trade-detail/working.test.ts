import { expect, test } from 'vitest';
import { settledDetail } from '../../../test/trade-detail.ts';
import { exactDollars, workingOf } from './working.ts';

test('every figure of a settled trade is shown with its calculation', () => {
  expect(workingOf(settledDetail).map(({ name, numbers, result }) => `${name}: ${numbers} = ${result}`)).toEqual([
    'Trade fee f: 250 × 0.40% = 1',
    'Position N: 250 − 1 = 249',
    'Entry price: 100 × (1 + 0.10% ÷ 2) = 100.05',
    'Quantity: 249 ÷ 100.05 = 2.488755622188 btc',
    'Exit price: 110.25 × (1 − 0.10% ÷ 2) = 110.194875',
    'Proceeds P: 249 × 110.194875 ÷ 100.05 = 274.248114',
    'Gross: 274.248114 − 249 = +25.248114',
    'Performance fee g: (274.248114 − 250) × 10% = 2.424811',
    'P&L: 274.248114 − 250 − 2.424811 = +21.823303',
  ]);
});

test('a loss takes no performance fee and says why', () => {
  const trade = { ...settledDetail.trade, gross: -9, performance_fee: 0, result: -10 };
  const steps = workingOf({ ...settledDetail, trade, proceeds: 240 });
  expect(steps.slice(-2).map(({ numbers, result }) => [numbers, result])).toEqual([
    ['P does not exceed A', '0'],
    ['240 − 250 − 0', '−10'],
  ]);
});

test('an open trade is calculated as far as it has come, a queued one not at all', () => {
  const open = { ...settledDetail, closing: null };
  expect(workingOf(open).map(({ name }) => name)).toEqual(['Trade fee f', 'Position N', 'Entry price', 'Quantity']);
  expect(workingOf({ ...open, rates: null, opening: null, net: null, quantity: null })).toEqual([]);
});

test.each([
  [1234.5, '1,234.5'],
  [-1.248876, '−1.248876'],
  [0, '0'],
  [1000, '1,000'],
])('%d dollars are shown as %s', (dollars, text) => {
  expect(exactDollars(dollars)).toBe(text);
});
