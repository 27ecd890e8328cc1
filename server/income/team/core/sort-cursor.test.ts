import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasNoControl, paging } from '#contract/endpoint.ts';
import { ORDERED_LETTERS, readSortCursor, writeSortCursor } from './sort-cursor.ts';

const encode = (text: string) => Buffer.from(text).toString('base64url');

test('a place comes out of its cursor as it went in, and every cursor fits the contract', () => {
  const letters = fc.string({ unit: 'grapheme', minLength: 1, maxLength: ORDERED_LETTERS });
  // Nobody can have a name with control characters or line separators.
  const name = letters.map((text) => Array.from(text).slice(0, ORDERED_LETTERS).join('')).filter(hasNoControl);
  const id = fc.bigInt({ min: 1n, max: 10n ** 18n - 1n });
  fc.assert(
    fc.property(name, id, (value, memberId) => {
      const cursor = writeSortCursor('name', { value, id: memberId });
      expect(paging.cursor.parse(cursor)).toBe(cursor);
      expect(readSortCursor('name', cursor)).toEqual({ value, id: memberId });
    }),
  );
  const longest = writeSortCursor('name', { value: '𝒜'.repeat(ORDERED_LETTERS), id: 10n ** 18n - 1n });
  expect(paging.cursor.parse(longest)).toBe(longest);
});

test.each([
  ['of another order', writeSortCursor('team', { value: '5', id: 17n })],
  ['of the order by joining', '17'],
  ['of something else', encode('foo')],
  ['that was written otherwise', `${writeSortCursor('volume', { value: '5', id: 17n }).slice(0, -1)}V`],
  ['with an amount that is none', encode('volume\n17\nanna')],
  ['with an amount too large', encode(`volume\n17\n${'9'.repeat(19)}`)],
  ['with a negative amount', encode('volume\n17\n-5')],
  ['with an id that is none', encode('volume\n017\n5')],
  ['without a value', encode('volume\n17\n')],
  ['not of text', Buffer.from([118, 0xff, 0xfe]).toString('base64url')],
])('a cursor %s is refused', (_, cursor) => {
  expect(readSortCursor('volume', cursor)).toBeUndefined();
});

test('a name with control characters is refused', () => {
  expect(readSortCursor('name', encode('name\n17\nan\u0000na'))).toBeUndefined();
});
