import { expect, test } from 'vitest';
import { decideBatch, type Filled } from './batch-outcome.ts';
import { type OrderTerms, planBatch, saleOrder } from './batch-plan.ts';

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
