import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buyPrice, formatPrice, parsePrice, sellPrice } from './price.ts';

const Exact = Decimal.clone({ precision: 60 });

test.each([
  ['100', 10, '100.050000000000', '99.950000000000'],
  ['43250.12', 10, '43271.745060000000', '43228.494940000000'],
  ['0.1671', 10, '0.167183550000', '0.167016450000'],
  ['100', 0, '100.000000000000', '100.000000000000'],
  ['100', 25, '100.125000000000', '99.875000000000'],
  // The thirteenth decimal is a 5: half up on both sides.
  ['0.000000000001', 10_000, '0.000000000002', '0.000000000001'],
])('a mark of %s with a spread of %i bps is bought at %s and sold at %s', (mark, spreadBps, buy, sell) => {
  expect(buyPrice(mark, spreadBps)).toBe(buy);
  expect(sellPrice(mark, spreadBps)).toBe(sell);
});

test('a mark with more than 12 decimals is rounded half up before anything else', () => {
  expect(formatPrice(parsePrice('1.0000000000005'))).toBe('1.000000000001');
  expect(formatPrice(parsePrice('1.00000000000049999'))).toBe('1.000000000000');
});

test.each(['', '0', '0.0000000000001', '-1', '1e5', 'NaN', 'Infinity', '1.', '.5', ' 1'])(
  'the text %j is not a price',
  (text) => {
    expect(() => parsePrice(text)).toThrow('not a price');
  },
);

test('prices match exact decimal arithmetic, rounded once', () => {
  const mark = fc.bigInt({ min: 1_000_000n, max: 10n ** 18n }).map(formatPrice);
  fc.assert(
    fc.property(mark, fc.integer({ min: 0, max: 500 }), (price, spreadBps) => {
      const half = new Exact(spreadBps).div(20_000);
      expect(buyPrice(price, spreadBps)).toBe(new Exact(price).times(half.plus(1)).toFixed(12, Decimal.ROUND_HALF_UP));
      expect(sellPrice(price, spreadBps)).toBe(
        new Exact(price).times(new Exact(1).minus(half)).toFixed(12, Decimal.ROUND_HALF_UP),
      );
    }),
  );
});
