import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFillMark, plain } from './fill-mark.ts';
import { buyPrice, formatPrice, parsePrice, sellPrice } from './price.ts';

test('with a stored mark, the spread is derived from mark and price, whatever spread is given', () => {
  expect(findFillMark('buy', '100.050000000000', { mark: '100', spreadBps: 30 })).toEqual({
    mark: '100',
    spreadBps: 10,
    source: 'stored',
  });
});

test('without a stored mark, the mark is derived from the price and the session’s spread', () => {
  expect(findFillMark('sell', '99.950000000000', { mark: undefined, spreadBps: 10 })).toEqual({
    mark: '100',
    spreadBps: 10,
    source: 'derived',
  });
});

test('a stored mark that no spread reconciles with the price is ignored', () => {
  expect(findFillMark('buy', '100.05', { mark: '101', spreadBps: 10 })).toMatchObject({
    mark: '100',
    source: 'derived',
  });
  // Bought below the mark, sold above it: no spread is negative.
  for (const [side, price] of [
    ['buy', '99.95'],
    ['sell', '100.05'],
  ] as const)
    expect(findFillMark(side, price, { mark: '100', spreadBps: 10 })).toMatchObject({ source: 'derived' });
});

const price = fc.bigInt({ min: 1_000_000n, max: 10n ** 18n }).map(formatPrice);
const spread = fc.integer({ min: 0, max: 1000 });

test('a price split into mark and spread gives the same price again, both ways', () => {
  fc.assert(
    fc.property(price, spread, fc.constantFrom('buy', 'sell'), (mark, spreadBps, side) => {
      const priceOf = side === 'buy' ? buyPrice : sellPrice;
      const filled = priceOf(mark, spreadBps);
      const stored = findFillMark(side, filled, { mark, spreadBps: 7 });
      const derived = findFillMark(side, filled, { mark: undefined, spreadBps });
      expect(parsePrice(priceOf(stored.mark, stored.spreadBps))).toBe(parsePrice(filled));
      expect(stored.source).toBe('stored');
      const off = parsePrice(priceOf(derived.mark, derived.spreadBps)) - parsePrice(filled);
      expect(off >= -1n && off <= 1n).toBe(true);
    }),
  );
});

test.each([
  ['100.050000000000', '100.05'],
  ['100.000000000000', '100'],
  ['100', '100'],
  ['0.000120000000', '0.00012'],
])('%s is shown as %s', (stored, shown) => {
  expect(plain(stored)).toBe(shown);
});
