import { expect, test } from 'vitest';
import { cutTickets, readTicketCursor } from './ticket-cursor.ts';

const at = new Date('2026-03-04T12:00:00.123Z');
const placeOf = (id: bigint) => ({ at, id });

test('the cursor of a page says where the next one begins', () => {
  const { rows, nextCursor } = cutTickets([9n, 8n, 7n], 2, placeOf);
  expect(rows).toEqual([9n, 8n]);
  expect(readTicketCursor(nextCursor ?? undefined)).toEqual({ at, id: 8n });
});

test('the last page has none', () => {
  expect(cutTickets([9n, 8n], 2, placeOf)).toEqual({ rows: [9n, 8n], nextCursor: null });
  expect(cutTickets([], 2, placeOf)).toEqual({ rows: [], nextCursor: null });
});

test('no cursor is the beginning', () => {
  expect(readTicketCursor(undefined)).toBeUndefined();
});

test.each([
  '',
  '17',
  '1772625600000_',
  '1772625600000_0',
  '_17',
  `${'9'.repeat(15)}_1`,
  `1772625600000_${'9'.repeat(19)}`,
])('%j is no cursor', (cursor) => {
  expect(readTicketCursor(cursor)).toBeNull();
});
