import { expect, test } from 'vitest';
import { findDiscrepancy } from './discrepancy.ts';

const check = { subject: 'week 2026-03-02', what: 'paid', found: 5n, expected: 5n };

test('figures that agree, or stay below their limit, are no discrepancy', () => {
  expect(findDiscrepancy(check)).toBeUndefined();
  expect(findDiscrepancy({ ...check, isLimit: true })).toBeUndefined();
  expect(findDiscrepancy({ ...check, found: 4n, isLimit: true })).toBeUndefined();
});

test('a discrepancy names where, what and both figures, and the first that differs', () => {
  const message = (more: object) => findDiscrepancy({ ...check, found: 6n, ...more })?.message;
  expect(findDiscrepancy({ ...check, found: 4n })).toEqual({
    subject: 'week 2026-03-02',
    message: 'paid is 4, expected 5',
  });
  expect(message({ isLimit: true })).toBe('paid is 6, expected at most 5');
  expect(message({ example: 'member 17' })).toBe('paid is 6, expected 5; first: member 17');
});
