import { expect, test } from 'vitest';
import { aMessage, anAnswer } from '../../../test/tickets.ts';
import { firstUnseen, splitByDay } from './thread-days.ts';

test('messages lie under the day they were written on, in UTC', () => {
  const days = splitByDay([
    aMessage({ id: '1', created_at: '2026-03-04T23:59:59Z' }),
    aMessage({ id: '2', created_at: '2026-03-05T00:00:00Z' }),
    aMessage({ id: '3', created_at: '2026-03-05T12:00:00Z' }),
  ]);
  expect(days.map(({ day, messages }) => [day, messages.map(({ id }) => id)])).toEqual([
    ['4 March 2026', ['1']],
    ['5 March 2026', ['2', '3']],
  ]);
});

test('own messages that support has not seen are not new to the member', () => {
  expect(firstUnseen([aMessage({ seen: false }), anAnswer({ seen: true })])).toBeUndefined();
  expect(
    firstUnseen([anAnswer({ id: '2' }), anAnswer({ id: '3', seen: false }), anAnswer({ id: '4', seen: false })]),
  ).toBe('3');
});
