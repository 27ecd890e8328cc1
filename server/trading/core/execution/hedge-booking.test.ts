import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#test/property-runs.ts';
import {
  bookFill,
  bookNetting,
  type HedgeBooks,
  type HedgeFill,
  isSameQuantity,
  type OrderBooks,
  sumQuantities,
} from './hedge-booking.ts';
import { planHedge } from './hedge-plan.ts';

const nothing: HedgeBooks = { held: '0', membersCash: 0n, venueCash: '0', result: 0n };
const held: HedgeBooks = { held: '1', membersCash: -100_000_000n, venueCash: '-100', result: 0n };
const order = (quantity: string, membersCash: bigint): OrderBooks => ({
  quantity,
  membersCash,
  heldChange: '0',
  answeredCash: 0n,
});
const fill = (side: 'buy' | 'sell', quantity: string, cost: string, fee: Partial<HedgeFill> = {}): HedgeFill => ({
  side,
  quantity,
  cost,
  feeQuantity: '0',
  feeCoin: null,
  feePrice: null,
  ...fee,
});

const inDollars = (feeQuantity: string) => ({ feeCoin: 'USDT', feeQuantity });
const inBtc = { feeCoin: 'BTC', feeQuantity: '0.001' };
const inBnb = { feeCoin: 'BNB', feeQuantity: '0.00012345', feePrice: '612.3456789' };

// One btc ordered; at the product's price members paid 100 dollars, or are paid 110.
test.each<[string, HedgeFill, [heldChange: string, answeredCash: bigint, result: bigint, feeValue: bigint | null]]>([
  ["bought at the product's price: nothing is left over", fill('buy', '1', '100'), ['1', -100_000_000n, 0n, null]],
  ['six tenths bought dearer', fill('buy', '0.6', '60.60', inDollars('0.06')), ['0.6', -60_000_000n, -660_000n, null]],
  ['bought cheaper: a rebate', fill('buy', '1', '99.5'), ['1', -100_000_000n, 500_000n, null]],
  [
    'a fee in the coin: fewer coins answer less',
    fill('buy', '1', '100', inBtc),
    ['0.999', -99_900_000n, -100_000n, null],
  ],
  // 0.00012345 × 612.3456789 = 0.0755940740…
  [
    'a fee in a third coin costs its value, rounded up',
    fill('buy', '1', '100', inBnb),
    ['1', -100_000_000n, -75_595n, 75_595n],
  ],
  ['sold for less', fill('sell', '1', '109.2', inDollars('0.1092')), ['-1', 110_000_000n, -909_200n, null]],
  ['sold for more', fill('sell', '1', '110.0000019'), ['-1', 110_000_000n, 1n, null]],
])('%s', (_, made, [heldChange, answeredCash, result, feeValue]) => {
  const [before, membersCash] = made.side === 'buy' ? [nothing, -100_000_000n] : [held, 110_000_000n];
  const booked = bookFill('BTC', order('1', membersCash), before, made);
  expect(booked).toMatchObject({ heldChange, answeredCash, result, feeValue });
});

test('the exact dollars are rounded down once in all, not once a fill', () => {
  // Three fills of 33.3333333 dollars each: 99.9999999, of which a tenth of a micro is never booked.
  let books = { order: order('3', -100_000_000n), hedge: nothing };
  const results = ['1', '1', '1'].map((quantity) => {
    const booked = bookFill('BTC', books.order, books.hedge, fill('buy', quantity, '33.3333333'));
    books = booked;
    return booked.result;
  });
  expect(results).toEqual([-1n, 0n, 1n]);
  expect(books.hedge).toEqual({ held: '3', membersCash: -100_000_000n, venueCash: '-99.9999999', result: 0n });
});

test('what members gained from each other, no exchange made: it is a fee of the venue', () => {
  expect(bookNetting(held, 3_200_000n)).toEqual({ ...held, membersCash: -96_800_000n, result: -3_200_000n });
});

test('quantities are compared and summed as numbers', () => {
  expect(isSameQuantity('0.10', '0.1')).toBe(true);
  expect(isSameQuantity('0.1', '0.10000001')).toBe(false);
  expect(sumQuantities('1', ['0.2', '0.3'])).toBe('1.5');
});

const limits = { stepSize: '0.001', minQuantity: '0.001', maxQuantity: '40', minNotional: '0', maxNotional: null };
const positions = fc.array(
  fc.record({
    net: fc.bigInt({ min: 1_000_000n, max: 10n ** 10n }),
    open: fc.integer({ min: 80_000, max: 120_000 }),
    close: fc.integer({ min: 80_000, max: 120_000 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const trades = fc.array(
  fc.record({
    part: fc.integer({ min: 1, max: 100 }),
    worseBps: fc.integer({ min: -60, max: 90 }),
    feeBps: fc.integer({ min: 0, max: 20 }),
  }),
  { minLength: 40, maxLength: 40 },
);

/**
 * Members' positions and an exchange, played by rules of the test's own: prices have three decimals, coins twelve, and
 * the exchange fills parts of orders at prices of its own.
 */
test('after a round trip the exchange moved what members gained and what venue_result got, to the micro', () => {
  fc.assert(
    fc.property(positions, trades, fc.boolean(), (opened, luck, isFeeInCoin) => {
      const coins = ({ net, open }: { net: bigint; open: number }) =>
        new Decimal(net.toString())
          .div(1e6)
          .div(open / 1000)
          .toDecimalPlaces(3);
      let exposure = { quantity: new Decimal(0), cash: 0n };
      let books = nothing;
      let exchange = { coins: new Decimal(0), dollars: new Decimal(0) };
      let turn = 0;
      const next = () => luck[turn++ % luck.length] as (typeof luck)[number];

      const hedge = (price: number) => {
        for (let orders = 0; orders < 400; orders += 1) {
          const pending = {
            quantity: exposure.quantity.minus(books.held).toFixed(),
            membersCash: exposure.cash - books.membersCash,
          };
          if (Number(pending.quantity) === 0) books = bookNetting(books, pending.membersCash);
          const plan = planHedge(pending, String(price), limits);
          if (plan === undefined) return;
          const { part, worseBps, feeBps } = next();
          const whole = new Decimal(plan.quantity);
          const share = whole.times(part).div(100).div('0.001').floor().times('0.001');
          const quantity = share.isZero() || orders > 40 ? whole : share;
          const sign = plan.side === 'buy' ? 1 : -1;
          const cost = quantity
            .times(price)
            .times(10_000 + sign * worseBps)
            .div(10_000)
            .toDecimalPlaces(8);
          const isCoin = isFeeInCoin && plan.side === 'buy' && orders < 2;
          const fee = (isCoin ? quantity : cost)
            .times(feeBps)
            .div(10_000)
            .toDecimalPlaces(isCoin ? 3 : 8);
          exchange = {
            coins: exchange.coins.plus(quantity.times(sign)).minus(isCoin ? fee : 0),
            dollars: exchange.dollars.minus(cost.times(sign)).minus(isCoin ? 0 : fee),
          };
          const feeCoin = fee.isZero() ? null : isCoin ? 'BTC' : 'USDT';
          const made = fill(plan.side, quantity.toFixed(), cost.toFixed(), { feeCoin, feeQuantity: fee.toFixed() });
          books = bookFill('BTC', order(plan.quantity, plan.membersCash), books, made).hedge;
        }
      };

      let gross = 0n;
      for (const position of opened) {
        exposure = { quantity: exposure.quantity.plus(coins(position)), cash: exposure.cash - position.net };
        if (next().part > 40) hedge(position.open / 1000);
      }
      for (const position of opened) {
        const proceeds = (position.net * BigInt(position.close)) / BigInt(position.open);
        gross += proceeds - position.net;
        exposure = { quantity: exposure.quantity.minus(coins(position)), cash: exposure.cash + proceeds };
        if (next().part > 40) hedge(position.close / 1000);
      }
      hedge(100);
      expect(exposure.quantity.isZero() && exchange.coins.isZero()).toBe(true);
      expect(books.held).toBe('0');
      expect(books.membersCash).toBe(gross);
      const moved = BigInt(exchange.dollars.times(1e6).floor().toFixed(0));
      expect(moved).toBe(gross + books.result);
    }),
    { numRuns: runs(200) },
  );
});
