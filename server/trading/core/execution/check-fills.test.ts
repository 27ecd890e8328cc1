import { expect, test } from 'vitest';
import { checkFills, type ReportedFill } from './check-fills.ts';

/** The fills of an order to sell two coins for 99 or more, at a mark of 100. */
const check = (...fills: Partial<ReportedFill>[]) => {
  const whole = { tradeId: '1', quantity: '2', cost: '198', feeQuantity: '0', feeCoin: null, feePrice: null };
  return checkFills(
    { side: 'sell', quantity: '2', limitPrice: '99' },
    fills.map((fill) => ({ ...whole, filledAt: new Date(0), ...fill })),
    { coin: 'COIN', dollar: 'USD' },
    '100',
  );
};
const half = { quantity: '1', cost: '99' };

test.each<[string, ...Partial<ReportedFill>[]]>([
  ['less than the limit of the sale', { cost: '197.9' }],
  ['more than half above the mark', { cost: '300.1' }],
  ['a negative quantity', { quantity: '-2', cost: '-198' }],
  ['nothing for nothing', { quantity: '0', cost: '0' }],
  ['no id', { tradeId: 'undefined' }],
  ['no instant', { filledAt: new Date(Number.NaN) }],
  ['a fee in a coin without a price', { feeQuantity: '0.1', feeCoin: 'BNB' }],
  ['more in total than was ordered', half, { tradeId: '2', quantity: '1.1', cost: '109' }],
  ['the same fill twice', half, half],
  ['a negative fee', { feeQuantity: '-0.1', feeCoin: 'USD' }],
  ['a fee of more than a twentieth, in the coin', { feeQuantity: '0.11', feeCoin: 'COIN' }],
])('fills are not believed: %s', (_, ...fills) => {
  expect(check(...fills)).toMatchObject({ fault: expect.any(String) });
});

test('a small fill at the limit is believed: Kraken rounds its dollars to five decimals', () => {
  expect(check({ quantity: '0.00123456', cost: '0.12222' })).toMatchObject({ filled: { cost: '0.12222' } });
});

test('the fee of a sale adds to the coins that left, or is taken off the dollars, its value in a third coin rounded up', () => {
  const filled = { quantity: '2', cost: '198' };
  expect(check({ feeQuantity: '0.001', feeCoin: 'COIN' })).toEqual({
    filled: { ...filled, coins: '2.001', dollars: '198' },
    feeValues: [null],
  });
  expect(check({ feeQuantity: '0.0000001', feeCoin: 'BNB', feePrice: '3' })).toEqual({
    filled: { ...filled, coins: '2', dollars: '197.999999' },
    feeValues: [1n],
  });
});
