import { expect, test } from 'vitest';
import { bonusMessage, exactDollars } from './messages.ts';

test.each([
  [1n, '0.000001'],
  [50n, '0.00005'],
  [1_000_000n, '1.00'],
  [1_230_000n, '1.23'],
  [1_234_500n, '1.2345'],
  [12_345_678_900_001n, '12345678.900001'],
] as const)('%d micros are %s', (micros, text) => {
  expect(exactDollars(micros)).toBe(text);
});

test('a member is told what a session brought', () => {
  expect(bonusMessage('2026-03-04', 1_234_500n)).toBe('Session of 2026-03-04: 1.2345 $ from the fees of your team.');
});
