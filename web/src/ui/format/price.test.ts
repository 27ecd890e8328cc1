import { expect, test } from 'vitest';
import { symbols } from '#contract/rules.ts';
import { formatPrice, priceDecimals } from './price.ts';

test.each([
  [68412.5, 'btc', '68,412.50'],
  [0.16281, 'doge', '0.1628'],
  [15.284, 'link/usdt', '15.284'],
  [0, 'btc', '0.00'],
  [null, 'btc', '–'],
  [undefined, 'btc', '–'],
  [123.456, 'new', '123.46'],
  [0.5, 'new', '0.5000'],
])('%d of %s is %s', (price, symbol, text) => {
  expect(formatPrice(price, symbol)).toBe(text);
});

test('each pair keeps its price step at any price', () => {
  for (const symbol of symbols) expect(priceDecimals(symbol, 0.01)).toBe(priceDecimals(symbol, 100_000));
});
