import { expect, test } from 'vitest';
import { type LoneFill, microsOfAmount, movedByFill } from './moved-by-line.ts';

const fill: LoneFill = { side: 'buy', quantity: '2', cost: '100', fee: '0', feeCoin: null };

test.each<[Partial<LoneFill>, string, string]>([
  [{}, '2', '-100'],
  [{ fee: '0.1', feeCoin: 'USDT' }, '2', '-100.1'],
  [{ fee: '0.002', feeCoin: 'BTC' }, '1.998', '-100'],
  [{ fee: '-0.05', feeCoin: 'USDT' }, '2', '-99.95'],
  [{ fee: '0.01', feeCoin: 'BNB' }, '2', '-100'],
  [{ side: 'sell', fee: '0.1', feeCoin: 'USDT' }, '-2', '99.9'],
  [{ side: 'sell', fee: '0.002', feeCoin: 'BTC' }, '-2.002', '100'],
])('%j moves %s coins and %s dollars', (more, coins, dollars) => {
  expect(movedByFill({ ...fill, ...more }, { coin: 'BTC', dollar: 'USDT' })).toEqual({ coins, dollars });
});

test.each([
  ['1.2345678', 1_234_567n],
  ['-1.2345678', -1_234_568n],
  ['0.0000009', 0n],
  ['-0.0000001', -1n],
])('%s dollars round to %i micros, against the house', (amount, micros) => {
  expect(microsOfAmount(amount)).toBe(micros);
});
