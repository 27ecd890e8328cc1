import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isStillWanted, type OrderLimits, planHedge, valueAtMark } from './hedge-plan.ts';

const limits: OrderLimits = {
  stepSize: '0.001',
  minQuantity: '0.002',
  maxQuantity: '5',
  minNotional: '10',
  maxNotional: null,
};

const plan = (side: 'buy' | 'sell', quantity: string, membersCash: bigint) => ({ side, quantity, membersCash });

test.each([
  ['rounded down to the step', '1.23456', -123_456_000n, '100', plan('buy', '1.234', -123_400_000n)],
  ['all of it', '-2', 210_000_000n, '100', plan('sell', '2', 210_000_000n)],
  ['cut to the largest order', '7', -700_000_000n, '100', plan('buy', '5', -500_000_000n)],
  ['a share is cut to the micro', '0.003', -10n, '5000', plan('buy', '0.003', -10n)],
  ['a third of a micro is none', '0.0031', -1n, '5000', plan('buy', '0.003', 0n)],
  ['under the smallest order', '0.0019', -100_000_000n, '100000', undefined],
  ['under the smallest value', '0.099', -9_900_000n, '100', undefined],
  ['exactly the smallest value', '0.1', -10_000_000n, '100', plan('buy', '0.1', -10_000_000n)],
  ['nothing pending', '0', 5n, '100', undefined],
  ['no price, no order', '1', -100n, null, undefined],
] as const)('%s', (_, quantity, membersCash, mark, expected) => {
  expect(planHedge({ quantity, membersCash }, mark, limits)).toEqual(expected);
});

test('the largest value of an order limits it as its quantity does', () => {
  const cut = planHedge({ quantity: '4', membersCash: -400n }, '100', { ...limits, maxNotional: '123.45' });
  expect(cut).toEqual(plan('buy', '1.234', -123n));
});

test('an order never exceeds what is pending, keeps to the step, and answers its share on the same side', () => {
  const pendings = fc.record({
    quantity: fc
      .bigInt({ min: -(10n ** 13n), max: 10n ** 13n })
      .map((units) => new Decimal(units.toString()).div(1e12).toFixed()),
    membersCash: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
  });
  fc.assert(
    fc.property(pendings, (pending) => {
      const made = planHedge(pending, '100', limits);
      if (made === undefined) return;
      const wanted = new Decimal(pending.quantity);
      expect(made.side).toBe(wanted.isNegative() ? 'sell' : 'buy');
      expect(new Decimal(made.quantity).lte(wanted.abs())).toBe(true);
      expect(new Decimal(made.quantity).mod('0.001').isZero()).toBe(true);
      const abs = (value: bigint) => (value < 0n ? -value : value);
      expect(abs(made.membersCash) <= abs(pending.membersCash)).toBe(true);
      expect(made.membersCash * pending.membersCash >= 0n).toBe(true);
    }),
  );
});

test.each([
  ['buy', '1', '1', true],
  ['buy', '1', '0.999', false],
  ['buy', '1', '-1', false],
  ['sell', '1', '-1.5', true],
  ['sell', '1', '0', false],
] as const)('an unsent %s of %s with %s pending is still wanted: %s', (side, quantity, pending, expected) => {
  expect(isStillWanted({ side, quantity }, pending)).toBe(expected);
});

test('a residual is worth its coins at the mark, rounded down, and nothing known without one', () => {
  expect(valueAtMark('-0.00056', '100')).toBe(56_000n);
  expect(valueAtMark('0.0000000019', '1000')).toBe(1n);
  expect(valueAtMark('1', null)).toBeNull();
});
