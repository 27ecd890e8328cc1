import { expect, test } from 'vitest';
import { bonusMessage } from './messages.ts';

test('a member is told what a session brought', () => {
  expect(bonusMessage('2026-03-04', 1_234_500n)).toBe('Session of 2026-03-04: 1.2345 $ from the fees of your team.');
});
