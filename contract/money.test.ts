import { expect, test } from 'vitest';
import {
  exactDollars,
  formatDollars,
  formatRounded,
  MAX_DOLLARS,
  roundToShown,
  toDollars,
  toMicros,
  writeDollars,
} from './money.ts';

test.each([
  [0n, '$0.00'],
  [1n, '$0.000001'],
  [-1n, '−$0.000001'],
  [250_000_000n, '$250.00'],
  [1_234_500_000n, '$1,234.50'],
  [-1_234_500_000n, '−$1,234.50'],
  [1_234_567_891n, '$1,234.567891'],
  [999_999_999n, '$999.999999'],
  [1_000_000_000_000n, '$1,000,000.00'],
])('%d micros are formatted as %s', (micros, words) => {
  expect(formatDollars(micros)).toBe(words);
});

test.each([
  [0n, '$0.00'],
  [49n, '$0.00'],
  [50n, '$0.0001'],
  [10_000n, '$0.01'],
  [1_234_567_899n, '$1,234.5679'],
  [50_000_100_000n, '$50,000.10'],
])('%d micros are rounded in messages as on pages, to %s', (micros, words) => {
  expect(formatRounded(micros)).toBe(words);
});

test.each([
  [0n, 0n],
  [49n, 0n],
  [50n, 100n],
  [-49n, 0n],
  [-50n, -100n],
  [2_258_885n, 2_258_900n],
  [-10_490_108n, -10_490_100n],
])('%d micros are shown as %d', (micros, shown) => {
  expect(roundToShown(micros)).toBe(shown);
});

test.each([
  [1n, '0.000001'],
  [50n, '0.00005'],
  [1_000_000n, '1.00'],
  [1_230_000n, '1.23'],
  [1_234_500n, '1.2345'],
  [12_345_678_900_001n, '12345678.900001'],
])('%d micros are exactly %s dollars', (micros, text) => {
  expect(exactDollars(micros)).toBe(text);
});

test.each([
  [0n, '0.000000'],
  [12_500_000n, '12.500000'],
  [-1n, '-0.000001'],
])('%d micros are written %s', (micros, text) => {
  expect(writeDollars(micros)).toBe(text);
});

test.each([
  [12.5, 12_500_000n],
  [-0.000001, -1n],
  [0.1, 100_000n],
  [8_499_999_999.999999, 8_499_999_999_999_999n],
  [MAX_DOLLARS, 8_500_000_000_000_000n],
])('%d dollars are %d micros, there and back', (dollars, micros) => {
  expect(toMicros(dollars)).toBe(micros);
  expect(toDollars(micros)).toBe(dollars);
});

test.each([0.1234567, 1e-7, 9_000_000_000.000002, -9_000_000_001, Number.NaN, Infinity])(
  '%d dollars are no amount, instead of the nearest one',
  (dollars) => {
    expect(() => toMicros(dollars)).toThrow(RangeError);
  },
);

test.each([8_999_999_999_999_999n, 9_007_199_254_740_993n, -8_999_999_999_999_999n])(
  '%d micros are an error, because no JSON number is exactly that amount',
  (micros) => {
    expect(() => toDollars(micros)).toThrow(RangeError);
  },
);

test('a larger amount that a JSON number carries is shown', () => {
  expect(toDollars(9_000_000_000_000_000n)).toBe(9_000_000_000);
});
