import { expect, test } from 'vitest';
import { readTicketCursor, writeTicketCursor } from './ticket-sql.ts';

test('a cursor is read as it was written', () => {
  const place = { at: new Date('2026-03-04T12:00:00.123Z'), id: 8n };
  expect(readTicketCursor(writeTicketCursor(place))).toEqual(place);
});

test.each([
  '',
  '17',
  '1772625600000_',
  '1772625600000_0',
  '_17',
  `${'9'.repeat(15)}_1`,
  `1772625600000_${'9'.repeat(19)}`,
])('%j is an invalid cursor', (cursor) => {
  expect(readTicketCursor(cursor)).toBeUndefined();
});
