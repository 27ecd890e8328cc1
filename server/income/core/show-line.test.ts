import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coverageOf, neededDirects } from './show-line.ts';

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

test('level 1 requires no directs, every other as many as its number', () => {
  expect([1, 2, 3, 10].map(neededDirects)).toEqual([0, 2, 3, 10]);
});
