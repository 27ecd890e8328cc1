import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toMicros } from '#contract/money.ts';
import { contributedOf, nominalOf, paidPart, scaledOf, scaleOf } from './monthly.ts';

const $ = toMicros;

test.each([
  // A trade fee of 0.4 % with a pool share of 10 %: the required volume contributes exactly the rank's income.
  [5000, 10_000, 40, 1000, 2],
  [25_000, 25_000, 100, 1000, 10],
  // Half the fee contributes half.
  [5000, 10_000, 20, 1000, 1],
  // A third of a cent is cut to the micro.
  [5000, 15_000, 0.1, 1000, 0.003333],
  [5000, 10_000, 40, 0, 0],
])(
  '%s $ of a team of %s $ that paid %s $ of fees put in, at %s basis points, %s $',
  (required, volume, fees, bps, dollars) => {
    const put = $(fees) * BigInt(bps);
    expect(contributedOf({ required: $(required), put, teamVolume: $(volume) })).toBe($(dollars));
  },
);

test('up to what the plan says, and to what was contributed', () => {
  expect(nominalOf($(2), $(3))).toBe($(2));
  expect(nominalOf($(2), $(1))).toBe($(1));
});

test.each([
  [2, 5, 4, 2, 1],
  [2, 4, 4, 2, 1],
  [2, 3, 4, 1.5, 0.75],
  [2, 4.012, 6, 1.337333, 4.012 / 6],
  [2, 0, 4, 0, 0],
  [0, 0, 0, 0, 1],
])('%s $ with %s $ in the pool for %s $ are %s $, scaled by %s', (nominal, pool, total, paid, scale) => {
  expect(scaledOf($(nominal), $(pool), $(total))).toBe($(paid));
  expect(scaleOf($(pool), $(total))).toBeCloseTo(scale, 12);
});

test('all together never get more than the pool', () => {
  const amounts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1 });
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), amounts, (pool, nominals) => {
      const total = nominals.reduce((sum, nominal) => sum + nominal, 0n);
      const paid = nominals.map((nominal) => scaledOf(nominal, pool, total));
      expect(paid.reduce((sum, amount) => sum + amount, 0n) <= pool).toBe(true);
      expect(paid.every((amount, index) => amount <= (nominals[index] as bigint))).toBe(true);
    }),
  );
});

test('coverage is paid divided by nominal, and unknown where nothing was due', () => {
  expect(paidPart($(1.5), $(2))).toBe(0.75);
  expect(paidPart(0n, $(2))).toBe(0);
  expect(paidPart(0n, 0n)).toBeNull();
});
