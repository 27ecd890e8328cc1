import { expect, test } from 'vitest';
import { tradeFee } from '../settlement.ts';
import { decideBatch, type Filled } from './batch-outcome.ts';
import { type OrderTerms, planBatch, saleOrder } from './batch-plan.ts';
import { openedAmount } from './opened-amount.ts';

const terms: OrderTerms = {
  ...{
    stepSize: '0.0001',
    tickSize: '0.01',
    minQuantity: '0.0001',
    maxQuantity: null,
    minNotional: '10',
    maxNotional: null,
  },
  takerFee: '0.001',
  isFeeInCoin: true,
};
const quote = { bid: '49.99', ask: '50', mark: '50' };
const markup = { spreadBps: 0, maxSlippage: '0.003' };
const wanted = { buyMicros: 3_000_000_000_000n, sellCoins: '0', residual: '0' };

/** Buys everything at the ask, with the fee taken in the coin. */
const fillOf = (quantity: string): Filled => {
  const cost = (Number(quantity) * 50).toFixed(6);
  return { quantity, coins: (Number(quantity) * 0.999).toFixed(8), cost, dollars: cost };
};

test('a purchase whose fee is taken in the coin orders more, so that what arrives covers every opening trade', () => {
  const plan = planBatch(wanted, quote, terms, markup);
  // Needed: 3 000 000 ÷ 50.05 = 59 940.06 coins, which is 0.999 of the order.
  expect(plan?.order).toEqual({ side: 'buy', quantity: '60000.06', limitPrice: '50.15' });
  const outcome = decideBatch(wanted, plan as never, fillOf('60000.06'), { quote, terms, spreadBps: 0 });
  expect(outcome.openMicros).toBe(null);
});

test('a purchase whose fee is taken in dollars orders what is needed', () => {
  const plan = planBatch(wanted, quote, { ...terms, isFeeInCoin: false }, markup);
  expect(plan?.order?.quantity).toBe('59940.0599');
  // If it is taken in the coin after all, 59 880.12 arrive, and the house bears 2 more, which are 100 dollars.
  const outcome = decideBatch(wanted, plan as never, fillOf('59940.0599'), { quote, terms, spreadBps: 0 });
  expect(outcome.openMicros).toBe(2_997_103_095_100n);
});

const sale = { buyMicros: 0n, sellCoins: '2', residual: '0' };

test('a sale orders no more where fees are taken in the coin, and its limit is rounded towards the mark', () => {
  const order = { side: 'sell', quantity: '2', limitPrice: '49.86' };
  expect(planBatch(sale, { ...quote, mark: '50.001' }, terms, markup)).toMatchObject({ order, isWhole: true });
  const capped = planBatch({ ...sale, sellCoins: '200' }, quote, { ...terms, maxNotional: '5000' }, markup);
  expect(capped).toMatchObject({ order: { quantity: '100.3009' }, isWhole: false });
});

test('what is less than the smallest order is the house’s up to a hundred dollars, and waits above', () => {
  const large = { ...terms, minNotional: '300' };
  const plan = planBatch(sale, quote, large, markup);
  expect(plan).toMatchObject({ order: null });
  expect(planBatch({ ...sale, sellCoins: '2.0001' }, quote, large, markup)).toBeUndefined();
  const prices = { quote, terms, spreadBps: 0 };
  const { sell } = decideBatch(sale, plan as never, { quantity: '0', coins: '0', cost: '0', dollars: '0' }, prices);
  expect(sell).toMatchObject({ fill: '49.990000000000', net: '49.940010000000' });
});

test.each([
  // The house’s surplus opens trades as well, and its shortfall is not made up for from what was filled.
  ['buy', '10', '1000', true, '1010'],
  ['buy', '-10', '1000', true, '1000'],
  ['sell', '-10', '1000', true, '1010'],
  ['sell', '10', '1000', true, '1000'],
  // Filled whole, but less than is needed: the house bears nothing.
  ['buy', '0', '2000', false, '2000'],
  ['sell', '0', '2000', false, '2000'],
] as const)(
  'an order to %s at a residual of %s, filled with %s, the whole need: %s',
  (side, residual, quantity, isWhole, coins) => {
    const isPurchase = side === 'buy';
    const some = { buyMicros: isPurchase ? 150_150_000_000n : 0n, sellCoins: isPurchase ? '0' : '3000', residual };
    const plan = { buyCoins: isPurchase ? '3000' : '0', order: { side, quantity: '2000', limitPrice: '50' }, isWhole };
    const cost = (Number(quantity) * 50).toFixed();
    const dollars = (Number(quantity) * (isPurchase ? 50.05 : 49.95)).toFixed();
    const outcome = decideBatch(
      some,
      plan,
      { quantity, coins: quantity, cost, dollars },
      { quote, terms, spreadBps: 0 },
    );
    expect([outcome.openMicros, outcome.sellCoins]).toEqual(
      isPurchase ? [BigInt(coins) * 50_050_000n, null] : [null, coins],
    );
  },
);

test('coins that are sold in part have twelve decimals, also where the house makes up for a shortfall', () => {
  const plan = { buyCoins: '0', order: { side: 'sell', quantity: '100', limitPrice: '3' }, isWhole: true } as const;
  const filled = { quantity: '100', coins: '100', cost: '300', dollars: '300' };
  const thirds = { quote: { bid: '3', ask: '3', mark: '3' }, terms, spreadBps: 0 };
  const { sellCoins } = decideBatch({ buyMicros: 0n, sellCoins: '900', residual: '-100' }, plan, filled, thirds);
  expect(sellCoins).toBe('233.333333333333');
});

test.each([
  // Quantity rounded down to a lot, price up to a tick.
  ['0.12345', '50.001', { side: 'sell', quantity: '0.1234', limitPrice: '50.01' }],
  // No more than the largest order; the rest stays unsold.
  ['2000000', '50', { side: 'sell', quantity: '1000000', limitPrice: '50' }],
  ['0.00009', '50', null],
])('an order to sell the house’s coins: %s at %s or more', (quantity, limitPrice, order) => {
  const limits = { ...terms, stepSize: '0.0001', tickSize: '0.01', minQuantity: '0.0001', maxQuantity: '1000000' };
  expect(saleOrder({ quantity, limitPrice }, { ...limits, minNotional: '5', maxNotional: null })).toEqual(order);
});

test('a trade that is filled in part opens with the largest amount whose position was filled', () => {
  const netOf = (amount: bigint, tradeBps: number) => amount - tradeFee(amount, tradeBps);
  for (const tradeBps of [0, 40, 333])
    for (let net = 0n; net < 2000n; net += 1n) {
      const amount = openedAmount(net, tradeBps);
      expect([netOf(amount, tradeBps) <= net, netOf(amount + 1n, tradeBps) > net]).toEqual([true, true]);
    }
});
