import { expect, test } from 'vitest';
import { aMessage, anAnswer } from '../../../test/tickets.ts';
import { firstUnseen } from './thread.tsx';

test('a member’s own messages that support has not seen are not new to the member', () => {
  expect(firstUnseen([aMessage({ seen: false }), anAnswer({ seen: true })])).toBeUndefined();
  expect(
    firstUnseen([anAnswer({ id: '2' }), anAnswer({ id: '3', seen: false }), anAnswer({ id: '4', seen: false })]),
  ).toBe('3');
});
