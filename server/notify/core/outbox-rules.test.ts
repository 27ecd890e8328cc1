import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { awaySeconds, deferralSeconds } from './back-off.ts';
import { cutPage, readIdCursor } from './id-cursor.ts';

describe('back-off', () => {
  test.each([
    [1, 30],
    [2, 60],
    [3, 120],
    [7, 1920],
    [8, 3600],
    [5000, 3600],
  ])('after %i deferrals a mail waits %i seconds', (deferrals, seconds) => {
    expect(deferralSeconds(deferrals)).toBe(seconds);
  });

  test.each([
    [1, 5],
    [2, 10],
    [4, 40],
    [5, 60],
    [5000, 60],
  ])('after %i tries without a server it waits %i seconds', (tries, seconds) => {
    expect(awaySeconds(tries)).toBe(seconds);
  });
});

describe('id cursors', () => {
  test.each([
    [undefined, 2n ** 63n - 1n],
    ['1', 1n],
    ['999999999999999999', 999_999_999_999_999_999n],
  ])('%j is read as %s', (cursor, id) => {
    expect(readIdCursor(cursor)).toBe(id);
  });

  test.each(['', '0', '01', '-1', '1e3', 'abc', '9'.repeat(19), '9'.repeat(200)])('%j is no cursor', (cursor) => {
    expect(readIdCursor(cursor)).toBeNull();
  });

  test('following the cursors shows every row once, whatever the page size', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.bigInt(1n, 10n ** 17n)), fc.integer({ min: 1, max: 20 }), (ids, limit) => {
        const rows = ids.sort((a, b) => (a < b ? 1 : -1)).map((id) => ({ id }));
        const seen: bigint[] = [];
        let cursor: string | null = null;
        do {
          const before = readIdCursor(cursor ?? undefined);
          const found = rows.filter((row) => before !== null && row.id < before);
          const page: { items: { id: bigint }[]; nextCursor: string | null } = cutPage(
            found.slice(0, limit + 1),
            limit,
          );
          seen.push(...page.items.map((row) => row.id));
          cursor = page.nextCursor;
        } while (cursor !== null);
        expect(seen).toEqual(rows.map((row) => row.id));
      }),
    );
  });
});
