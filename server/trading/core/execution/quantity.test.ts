import { expect, test } from 'vitest';
import { coinsBought } from '../settlement.ts';

test.each([
  [249_000_000n, '100.05', '2.488755622188'],
  [1_000_000n, '0.5', '2.000000000000'],
  [996_000_000n, '67905.4', '0.014667463854'],
])('%d micros at %s buy %s', (net, price, coins) => {
  expect(coinsBought(net, price)).toBe(coins);
});
