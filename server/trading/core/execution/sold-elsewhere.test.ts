import { describe, expect, test } from 'vitest';
import { bookElsewhere, isFarFromMark, isMoreThanLeft, netPrice } from './sold-elsewhere.ts';

const sold = (quantity: string, cost: bigint, fee = 0n) => ({ quantity, costMicros: cost, feeMicros: fee });
const left = (unsold: string, held = unsold, residual = '0') => ({ unsold, held, residual });

test('the price is net of the fee', () => {
  expect(netPrice(sold('0.5', 100_000_000n, 1_000_000n))).toBe('198.000000000000');
});

test('a price is far from the mark beyond a fifth of it, up or down', () => {
  expect(isFarFromMark(sold('1', 80_000_000n), '100')).toBe(false);
  expect(isFarFromMark(sold('1', 79_999_999n), '100')).toBe(true);
  expect(isFarFromMark(sold('1', 120_000_000n), '100')).toBe(false);
  expect(isFarFromMark(sold('1', 120_000_001n), '100')).toBe(true);
  expect(isFarFromMark(sold('1', 1n), null)).toBe(false);
});

describe('more is sold than is left', () => {
  test.each([
    ['what positions have', '1', left('1'), false],
    ['a little more', '1.000000000001', left('1', '2'), true],
    ['with what the exchange holds over', '1.2', left('1', '1.2', '0.2'), false],
    ['more than the exchange holds', '1', left('1', '0.99', '-0.01'), true],
  ])('%s', (_, quantity, there, is) => {
    expect(isMoreThanLeft(sold(quantity, 1n), there)).toBe(is);
  });
});

describe('what it comes to', () => {
  const at = { mark: '100', spreadBps: 100 };

  test('a part of what is left is sold, and its price has half the spread taken off', () => {
    expect(bookElsewhere(sold('2', 198_000_000n, 2_000_000n), left('5'), at)).toEqual({
      filled: { quantity: '2', coins: '2', cost: '198', dollars: '196' },
      outcome: {
        buy: null,
        sell: { fill: '99.000000000000', net: '98.000000000000', price: '97.510000000000' },
        openMicros: null,
        sellCoins: '2',
      },
    });
  });

  test('a rest of up to a hundred dollars is the house’s', () => {
    expect(bookElsewhere(sold('2', 1_000_000n), left('3'), at).outcome.sellCoins).toBeNull();
    expect(bookElsewhere(sold('2', 1_000_000n), left('3.01'), at).outcome.sellCoins).toBe('2');
  });
});
