import { expect, test } from 'vitest';
import { formatPercent } from './number.ts';

test.each([
  [1.24, {}, '1.24%'],
  [1.24, { signed: true }, '+1.24%'],
  [-0.289, { signed: true }, '−0.29%'],
  [-0.289, {}, '−0.29%'],
  [0, { signed: true }, '0%'],
  [0.001, { signed: true }, '0%'],
  [0.0012, { decimals: 4 }, '0.0012%'],
  [null, {}, '–'],
] as const)('%d %o is %s', (percent, options, text) => {
  expect(formatPercent(percent, options)).toBe(text);
});
