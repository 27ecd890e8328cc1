import { expect, test } from 'vitest';
import { formatDollars } from './format-dollars.ts';

test.each([
  [0n, '$0.00'],
  [1n, '$0.000001'],
  [-1n, '-$0.000001'],
  [1_234_500_000n, '$1,234.50'],
  [999_999_999n, '$999.999999'],
  [1_000_000_000_000n, '$1,000,000.00'],
])('%d micros read as %s', (micros, words) => {
  expect(formatDollars(micros)).toBe(words);
});
