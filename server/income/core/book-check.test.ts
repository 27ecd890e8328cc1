import { expect, test } from 'vitest';
import { bookFault } from './book-check.ts';

const check = { subject: 'week 2026-03-02', what: 'paid', found: 5n, expected: 5n };

test('figures that agree, or stay below their limit, are no fault', () => {
  expect(bookFault(check)).toBeUndefined();
  expect(bookFault({ ...check, isLimit: true })).toBeUndefined();
  expect(bookFault({ ...check, found: 4n, isLimit: true })).toBeUndefined();
});

test('a fault names where, what and both figures, and the first that is wrong', () => {
  expect(bookFault({ ...check, found: 4n })).toEqual({ subject: 'week 2026-03-02', message: 'paid is 4, not 5' });
  expect(bookFault({ ...check, found: 6n, isLimit: true })?.message).toBe('paid is 6, more than 5');
  expect(bookFault({ ...check, found: 6n, example: 'member 17' })?.message).toBe('paid is 6, not 5: first member 17');
});
