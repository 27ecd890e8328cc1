import { describe, expect, test } from 'vitest';
import { bookElsewhere, feeInCoins, isFarFromMark, isMoreThanLeft, netPrice } from './sold-elsewhere.ts';

const sold = (quantity: string, cost: bigint, fee = 0n) => ({
  ...{ side: 'sell' as const, quantity, costMicros: cost, feeMicros: fee },
});
const left = (unsold: string, held = unsold, residual = '0') => ({ unsold, held, residual });

test('the price is net of the fee', () => {
  const sale = sold('0.5', 100_000_000n, 1_000_000n);
  expect(netPrice(sale)).toBe('198.000000000000');
  expect(netPrice({ ...sale, side: 'buy' })).toBe('202.000000000000');
});

test.each([
  ['what the fee rate explains of an order to buy', 'buy', '1.998', 0n, '0.002'],
  ['nothing of what else is missing', 'buy', '1.9979', 0n, '0'],
  ['nothing with a fee in dollars', 'buy', '1.998', 1n, '0'],
  ['nothing of a sale', 'sell', '1.998', 0n, '0'],
] as const)('the fee in coins is %s', (_, side, quantity, feeMicros, fee) => {
  expect(feeInCoins({ ...sold(quantity, 1n, feeMicros), side }, '2', '0.001')).toBe(fee);
});

test('a price is far from the mark if it is more than a fifth above or below', () => {
  expect(isFarFromMark(sold('1', 80_000_000n), '100')).toBe(false);
  expect(isFarFromMark(sold('1', 79_999_999n), '100')).toBe(true);
  expect(isFarFromMark(sold('1', 120_000_000n), '100')).toBe(false);
  expect(isFarFromMark(sold('1', 120_000_001n), '100')).toBe(true);
  expect(isFarFromMark(sold('1', 1n), null)).toBe(false);
});

describe('a sale of more than is left', () => {
  test.each([
    ['what the positions have: no', '1', left('1'), false],
    ['slightly more: yes', '1.000000000001', left('1', '2'), true],
    ['including the exchange’s surplus: no', '1.2', left('1', '1.2', '0.2'), false],
    ['more than the exchange holds: yes', '1', left('1', '0.99', '-0.01'), true],
    ['although some of other positions is lacking: no', '1', left('1', '5', '-0.01'), false],
  ])('%s', (_, quantity, there, is) => {
    expect(isMoreThanLeft(sold(quantity, 1n), there)).toBe(is);
  });
});

describe('a sale elsewhere', () => {
  const at = { mark: '100', spreadBps: 100 };

  test('of part of what is left is booked, and half the spread is taken off its price', () => {
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

  test('leaves a rest of up to a hundred dollars to the house', () => {
    expect(bookElsewhere(sold('2', 1_000_000n), left('3'), at).outcome.sellCoins).toBeNull();
    expect(bookElsewhere(sold('2', 1_000_000n), left('3.01'), at).outcome.sellCoins).toBe('2');
    // Sold along with the exchange’s surplus, whatever that is worth.
    expect(bookElsewhere(sold('5', 1_000_000n), left('3', '5', '2'), at).outcome.sellCoins).toBeNull();
  });
});
