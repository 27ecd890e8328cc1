import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ABOVE_EVERY_ID, cutPage, readCursor, readDayCursor, readIdCursor } from './cursor.ts';
import { Refused } from './refused.ts';

const refusal = new Refused('validation', { field: 'cursor', reason: 'Not a cursor of this list.' });

test.each([
  [undefined, undefined],
  ['1', 1n],
  ['999999999999999999', 999_999_999_999_999_999n],
])('the cursor %j is the id %s', (cursor, id) => {
  expect(readIdCursor(cursor)).toBe(id);
});

test.each(['', '0', '01', '-1', '1e3', 'abc', '9'.repeat(19), '9'.repeat(200)])('%j is an invalid id', (cursor) => {
  expect(() => readIdCursor(cursor)).toThrow(refusal);
});

test.each([undefined, '2026-03-04', '2024-02-29'])('the cursor %j is that day', (cursor) => {
  expect(readDayCursor(cursor)).toBe(cursor);
});

test.each(['2026-02-29', '2026-02-30', '0001-01-01', '17', '2026-03-04x'])('%j is an invalid day', (cursor) => {
  expect(() => readDayCursor(cursor)).toThrow(refusal);
});

test('a list parses its own form of cursor, and refuses any other by name', () => {
  const read = (text: string) => (text === 'a' ? { place: 1 } : undefined);
  expect(readCursor(undefined, read)).toBeUndefined();
  expect(readCursor('a', read)).toEqual({ place: 1 });
  expect(() => readCursor('b', read)).toThrow(refusal);
});

test('a page ends where the next one starts, and the last one has no cursor', () => {
  expect(cutPage([9n, 8n, 7n], 2, (id) => id)).toEqual({ rows: [9n, 8n], nextCursor: '8' });
  expect(cutPage([9n, 8n], 2, (id) => id)).toEqual({ rows: [9n, 8n], nextCursor: null });
  expect(cutPage([], 2, (id) => id)).toEqual({ rows: [], nextCursor: null });
});

test('following the cursors shows every row once, whatever the page size', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.bigInt(1n, 10n ** 17n)), fc.integer({ min: 1, max: 20 }), (ids, limit) => {
      const newestFirst = ids.sort((a, b) => (a < b ? 1 : -1));
      const seen: bigint[] = [];
      let cursor: string | null = null;
      do {
        const before: bigint = readIdCursor(cursor ?? undefined) ?? ABOVE_EVERY_ID;
        const found = newestFirst.filter((id) => id < before).slice(0, limit + 1);
        const page: { rows: bigint[]; nextCursor: string | null } = cutPage(found, limit, (id) => id);
        seen.push(...page.rows);
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual(newestFirst);
    }),
  );
});
