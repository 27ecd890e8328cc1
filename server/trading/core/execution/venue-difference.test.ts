import { expect, test } from 'vitest';
import { compareBalances, isDifferent } from './venue-difference.ts';

test('dollars, our coins and anything else at the exchange are compared line by line', () => {
  const reported = new Map([
    ['BNB', '2'],
    ['BTC', '0.5'],
    ['USDT', '899.75'],
  ]);
  expect(
    compareBalances(
      reported,
      'USDT',
      '900',
      new Map([
        ['BTC', '0.50'],
        ['ETH', '1'],
      ]),
    ),
  ).toEqual([
    { coin: 'USDT', reported: '899.75', booked: '900', difference: '-0.25' },
    { coin: 'BTC', reported: '0.5', booked: '0.5', difference: '0' },
    { coin: 'ETH', reported: '0', booked: '1', difference: '-1' },
    { coin: 'BNB', reported: '2', booked: '0', difference: '2' },
  ]);
});

test('what the exchange rounded is no difference', () => {
  const line = { coin: 'USD', reported: '0', booked: '0' };
  expect(isDifferent({ ...line, difference: '-0.0003' }, 'USD', 2, '0.0003')).toBe(false);
  expect(isDifferent({ ...line, difference: '-0.0004' }, 'USD', 2, '0.0003')).toBe(true);
});

test.each([
  ['USDT', '0', 0, false],
  ['USDT', '0.000002', 2, false],
  ['USDT', '0.000003', 2, true],
  ['USDT', '-0.01', 16, true],
  ['BTC', '0', 2, false],
  ['BTC', '0.00000001', 2, true],
  ['BTC', '-0.00000001', 2, true],
])('%s %s with %i assets: rounding is no difference', (coin, difference, assets, expected) => {
  expect(isDifferent({ coin, difference, reported: '0', booked: '0' }, 'USDT', assets)).toBe(expected);
});
