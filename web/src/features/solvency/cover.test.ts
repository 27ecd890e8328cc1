import { expect, test } from 'vitest';
import { aPeriod, aSolvency } from '../../../test/solvency.ts';
import { coverBars, coverPercent, coverText, feesOf, shareableOf, unsharedOf } from './cover.ts';

test('a percentage is rounded down, never up', () => {
  expect(coverPercent(1025.499, 1000)).toBe(102.54);
  expect(coverPercent(99.9999, 100)).toBe(99.99);
  expect(coverPercent(100, 100)).toBe(100);
  // As binary fractions 1.1 and 1.01 are not exact.
  expect(coverPercent(1.1, 1)).toBe(110);
  expect(coverPercent(1.01, 1)).toBe(101);
  expect(coverPercent(-3.5001, 1000)).toBe(-0.36);
  expect(coverPercent(5, 0)).toBeNull();
});

test('the sentence states the coverage, even below 100 %', () => {
  expect(coverText(aSolvency())).toBe('Assets cover 102.54% of liabilities');
  const short = aSolvency({ assets: { booked: 981.999, gateway: 981.999, venue: 0, reported: null } });
  expect(coverText(short)).toBe('Assets cover 98.19% of liabilities');
  expect(coverText(aSolvency({ liabilities: 0 }))).toBe('No liabilities');
});

test('both bars share one scale; reserves are one part, and a negative surplus is not drawn', () => {
  const { held, owed } = coverBars(aSolvency());
  const total = (parts: readonly { percent: number }[]) => parts.reduce((sum, { percent }) => sum + percent, 0);
  expect(total(held)).toBeCloseTo(100, 9);
  expect(total(owed)).toBeCloseTo(100, 9);
  expect(owed.map(({ name }) => name)).toEqual(['primary', 'profit', 'trade_escrow', 'investment', 'aside', 'surplus']);
  expect(owed.find(({ name }) => name === 'aside')?.amount).toBeCloseTo(11.6, 9);

  const short = coverBars(
    aSolvency({
      accounts: [
        { name: 'gateway', group: 'asset', amount: 90 },
        { name: 'primary', group: 'member', amount: 100 },
      ],
      surplus: -10,
    }),
  );
  expect(short.held).toEqual([{ name: 'gateway', amount: 90, percent: 90 }]);
  expect(short.owed).toEqual([{ name: 'primary', amount: 100, percent: 100 }]);
  expect(coverBars(aSolvency({ accounts: [], surplus: 0 }))).toEqual({ held: [], owed: [] });
});

test('the undistributed part of a period’s fees, to the micro', () => {
  expect(feesOf(aPeriod())).toBe(27.12);
  expect(unsharedOf(aPeriod())).toBe(0);
  expect(shareableOf(aPeriod({ execution_cost: 0.12 }))).toBe(27);
  expect(unsharedOf(aPeriod({ execution_cost: 0.2, revenue: 22.686 }))).toBe(0);
  expect(unsharedOf(aPeriod({ trade_fees: 9.6 }))).toBe(1.6);
  expect(unsharedOf(aPeriod({ trade_fees: 7.9 }))).toBe(-0.1);
  expect(Object.is(unsharedOf(aPeriod()), 0)).toBe(true);
});
