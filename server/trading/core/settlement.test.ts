import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPrice } from './price.ts';
import { coinsBought, settle, tradeFee } from './settlement.ts';

const performanceBps = 1000;

test.each([
  [250_000_000n, 1_000_000n],
  [5_000_000n, 20_000n],
  [1_000_000n, 4_000n],
  // 0.40 % of 12.345678 is 0.049382712: rounded down.
  [12_345_678n, 49_382n],
  [249n, 0n],
  [250n, 1n],
])('the trade fee of %s micros is %s', (amount, fee) => {
  expect(tradeFee(amount, 40)).toBe(fee);
});

// Worked out by hand from docs/product.md, section 2, "Money flows": A 250, f 1, N 249, bought at 100.
test.each([
  ['P < N: the loss goes to the venue', '90', [224_100_000n, 224_100_000n, 24_900_000n, 0n, 0n, 0n], -24_900_000n],
  ['P = N: only the fee is lost', '100', [249_000_000n, 249_000_000n, 0n, 0n, 0n, 0n], 0n],
  ['N < P < A: the gain covers part of the fee', '100.2', [249_498_000n, 249_000_000n, 0n, 498_000n, 0n, 0n], 498_000n],
  [
    'P > A: a tenth of the excess is the fee',
    '110',
    [273_900_000n, 249_000_000n, 0n, 1_000_000n, 21_510_000n, 2_390_000n],
    24_900_000n,
  ],
  [
    'nearly worthless: the loss is at most the amount',
    '0.000000000001',
    [0n, 0n, 249_000_000n, 0n, 0n, 0n],
    -249_000_000n,
  ],
] as const)('%s', (_, closePrice, [proceeds, returned, loss, gain, profit, performanceFee], gross) => {
  const settled = settle({ amount: 250_000_000n, fee: 1_000_000n, openPrice: '100', closePrice, performanceBps });
  const result = gross - 1_000_000n - performanceFee;
  expect(settled).toEqual({ proceeds, returned, loss, gain, profit, performanceFee, gross, result });
});

test('proceeds and performance fee are each rounded down once', () => {
  // N = 9.96; × 10.000001 ÷ 7 = 14.2285728514…, down to 14.228572.
  const trade = { amount: 10_000_000n, fee: 40_000n, openPrice: '7', closePrice: '10.000001', performanceBps };
  // Over the amount: 4.228572; a tenth is 0.4228572, down to 0.422857.
  expect(settle(trade)).toMatchObject({ proceeds: 14_228_572n, performanceFee: 422_857n, profit: 3_805_715n });
});

const price = fc.bigInt({ min: 1n, max: 10n ** 18n }).map(formatPrice);
const trades = fc
  .record({ amount: fc.bigInt({ min: 1n, max: 10n ** 15n }), openPrice: price, closePrice: price })
  .map((trade) => ({ ...trade, fee: tradeFee(trade.amount, 40), performanceBps }));

test('what leaves escrow and venue is what reaches wallets and fees: nothing appears, nothing is lost', () => {
  fc.assert(
    fc.property(trades, (trade) => {
      const s = settle(trade);
      const net = trade.amount - trade.fee;
      expect(s.returned + s.loss).toBe(net);
      expect(s.returned + s.gain + s.profit + s.performanceFee).toBe(s.proceeds);
      expect(s.gross).toBe(s.proceeds - net);
      expect(s.result).toBe(s.returned + s.gain + s.profit - trade.amount);
      expect(s.result).toBe(s.gross - trade.fee - s.performanceFee);
      expect(s.loss === 0n || (s.gain === 0n && s.profit === 0n && s.performanceFee === 0n)).toBe(true);
      for (const moved of [s.proceeds, s.returned, s.loss, s.gain, s.profit, s.performanceFee])
        expect(moved >= 0n).toBe(true);
      expect(s.result >= -trade.amount).toBe(true);
    }),
  );
});

test('proceeds are N × close ÷ open in exact decimals, truncated to the micro', () => {
  const Exact = Decimal.clone({ precision: 100 });
  fc.assert(
    fc.property(trades, (trade) => {
      const exact = new Exact((trade.amount - trade.fee).toString()).times(trade.closePrice).div(trade.openPrice);
      expect(settle(trade).proceeds.toString()).toBe(exact.floor().toFixed());
    }),
  );
});

test.each([
  [249_000_000n, '100.05', '2.488755622188'],
  [1_000_000n, '0.5', '2.000000000000'],
  [996_000_000n, '67905.4', '0.014667463854'],
])('%d micros at %s buy %s', (net, price, coins) => {
  expect(coinsBought(net, price)).toBe(coins);
});
