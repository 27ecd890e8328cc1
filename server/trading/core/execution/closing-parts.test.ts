import { expect, test } from 'vitest';
import { isSold, partToSell } from './closing-parts.ts';

const closesAt = new Date('2026-03-04T17:30:00Z');

test('all is sold once less than a millionth of a millionth of a coin is left, which could not be sold', () => {
  const left = { total: '0.049235800386', sold: '0.049235800385942260129' };
  expect(partToSell(left, closesAt, closesAt)).toEqual({ sellCoins: '0', isLast: true });
  expect(isSold(left)).toBe(true);
  const more = { ...left, sold: '0.049235800385' };
  expect(partToSell(more, closesAt, closesAt)).toEqual({ sellCoins: '0.000000000001', isLast: true });
  expect(isSold(more)).toBe(false);
});
