import { expect, test } from 'vitest';
import { floorMicros, minimumMicros } from './coin-sale.ts';

test('what coins bring is rounded down, a millionth of a dollar is the least', () => {
  expect([floorMicros('1'), floorMicros('0.0000019'), floorMicros('0.0000009')]).toEqual([1_000_000n, 1n, 0n]);
  expect(minimumMicros({ units: '0.00000001', limitPrice: '49999.99' })).toBe(499n);
});
