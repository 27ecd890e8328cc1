import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coverageOf, neededDirects, showBonusLine, showResultLine } from './show-line.ts';

test.each([
  ['all of the share', { fees: 5_001n, bps: 2000, amount: 1_000n }, 1],
  [
    'a micro more, which rounding several levels together left for this one',
    { fees: 5_009n, bps: 1000, amount: 501n },
    1,
  ],
  ['nothing', { fees: 5_000n, bps: 2000, amount: 0n }, 0],
  ['half', { fees: 5_000n, bps: 2000, amount: 500n }, 0.5],
  ['nothing of a share that is less than a micro', { fees: 4n, bps: 2000, amount: 0n }, 1],
  ['nothing of no fees', { fees: 0n, bps: 2000, amount: 0n }, 1],
])('coverage: %s', (_, line, coverage) => {
  expect(coverageOf(line)).toBe(coverage);
});

test('lines of levels that are rounded down together are each covered in full', () => {
  const level = fc.record({ fees: fc.bigInt(0n, 10n ** 15n), bps: fc.integer({ min: 0, max: 1000 }) });
  fc.assert(
    fc.property(fc.array(level, { minLength: 1, maxLength: 9 }), (levels) => {
      let before = 0n;
      for (const { fees, bps } of levels) {
        const after = before + fees * BigInt(bps);
        expect(coverageOf({ fees, bps, amount: after / 10_000n - before / 10_000n })).toBe(1);
        before = after;
      }
    }),
  );
});

test('level 1 takes no directs, every other as many as its number', () => {
  expect([1, 2, 3, 10].map(neededDirects)).toEqual([0, 2, 3, 10]);
});

test('a bonus is dated by the close of its session and says its rate in percent', () => {
  expect(
    showBonusLine({
      day: '2026-03-04',
      level: 2,
      traders: 3n,
      volume: 100_000_000n,
      fees: 400_000n,
      bps: 1000,
      amount: 40_000n,
      closesAt: new Date('2026-03-04T17:30:00Z'),
    }),
  ).toEqual({
    id: '2026030402',
    session: '2026-03-04',
    level: 2,
    symbol: null,
    volume: 100,
    fees: 0.4,
    rate: 10,
    amount: 0.04,
    coverage: 1,
    created_at: '2026-03-04T17:30:00.000Z',
  });
});

test('a result keeps its sign, has both fees, and neither rate nor coverage', () => {
  expect(
    showResultLine({
      id: 17n,
      sessionDay: '2026-03-04',
      symbol: 'btc',
      amount: 50_000_000n,
      fee: 200_000n,
      performanceFee: 0n,
      result: -1_200_000n,
      closedAt: new Date('2026-03-04T13:00:00Z'),
    }),
  ).toEqual({
    id: '17',
    session: '2026-03-04',
    level: null,
    symbol: 'btc',
    volume: 50,
    fees: 0.2,
    rate: null,
    amount: -1.2,
    coverage: null,
    created_at: '2026-03-04T13:00:00.000Z',
  });
});
