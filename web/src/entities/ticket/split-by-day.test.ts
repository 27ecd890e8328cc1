import { expect, test } from 'vitest';
import { aMessage } from '../../../test/tickets.ts';
import { splitByDay } from './split-by-day.ts';

test('messages are grouped by the day they were written, in UTC', () => {
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
