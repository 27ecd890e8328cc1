import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findWeeklyReason, weeklyCap, weeklyShare } from './weekly.ts';

const qualifying = { isCompany: false, isClosed: false, isActive: true, activeDirects: 3n, neededDirects: 3 };

test.each([
  ['exactly as many directs as it takes', {}, undefined],
  ['more', { activeDirects: 9n }, undefined],
  ['one too few', { activeDirects: 2n }, 'directs'],
  ['none needed', { activeDirects: 0n, neededDirects: 0 }, undefined],
  ['inactive', { isActive: false }, 'inactive'],
  ['inactive, with too few directs', { isActive: false, activeDirects: 0n }, 'inactive'],
  ['the company', { isCompany: true }, 'company'],
  ['who closed the account', { isClosed: true }, 'closed'],
  ['who closed the account, inactive', { isClosed: true, isActive: false }, 'closed'],
  ['the company, inactive', { isCompany: true, isActive: false, activeDirects: 0n }, 'company'],
] as const)('%s', (_, change, reason) => {
  expect(findWeeklyReason({ ...qualifying, ...change })).toBe(reason);
});

test.each([
  // pool, volume, total, cap, nominal, paid; micros
  [100_000_000n, 30n, 400n, 1000, 7_500_000n, 7_500_000n],
  [100_000_000n, 100n, 400n, 1000, 25_000_000n, 10_000_000n],
  // Exactly the cap.
  [100_000_000n, 40n, 400n, 1000, 10_000_000n, 10_000_000n],
  // Alone: all of it, less the cap.
  [1_000_000n, 7n, 7n, 1000, 1_000_000n, 100_000n],
  [1_000_000n, 1n, 3n, 10_000, 333_333n, 333_333n],
  [9n, 1n, 2n, 1000, 4n, 0n],
  [0n, 1n, 2n, 1000, 0n, 0n],
])('of %s, %s of %s at %s basis points are %s, and %s are paid', (pool, volume, total, capBps, nominal, paid) => {
  expect(weeklyShare({ pool, volume, total, capBps })).toEqual({ nominal, paid });
});

test('whatever the volumes are, no more than the pool is paid, and nobody over the cap', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 15n });
  fc.assert(
    fc.property(
      amount,
      fc.array(amount, { minLength: 1 }),
      fc.integer({ min: 1, max: 10_000 }),
      (pool, volumes, capBps) => {
        const total = volumes.reduce((sum, volume) => sum + volume, 0n);
        const shares = volumes.map((volume) => weeklyShare({ pool, volume, total, capBps }));
        expect(shares.reduce((sum, { paid }) => sum + paid, 0n) <= pool).toBe(true);
        for (const { nominal, paid } of shares) expect(paid <= nominal && paid <= weeklyCap(pool, capBps)).toBe(true);
      },
    ),
  );
});
