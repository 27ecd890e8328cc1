import { expect, test } from 'vitest';
import { canShowCapital, isCorrectionCovered, isMoveCovered, surplusOf } from './house-cover.ts';

/**
 * 100 at the gateway, 40 at the venue, a surplus of 20 of which 30 are revenue, 6 were lost at the venue and 4 at the
 * gateway.
 */
const house = {
  gateway: -100n,
  venue: -40n,
  fee_revenue: 25n,
  withdrawal_fees: 5n,
  venue_result: -6n,
  gateway_result: -4n,
  adjustments: 0n,
};
const move = (kind: Parameters<typeof isMoveCovered>[1]['kind'], amountMicros: bigint, coinMicros = 0n) =>
  isMoveCovered(house, { kind, source: kind === 'revenue_out' ? 'fee_revenue' : null, amountMicros, coinMicros });

test('the surplus is what the five accounts of it come to', () => {
  expect(surplusOf(house)).toBe(20n);
});

test.each([
  [20n, true],
  [21n, false],
  [-1_000n, true],
])('a correction by %s is covered: %s', (signedMicros, isCovered) => {
  expect(isCorrectionCovered(house, signedMicros)).toBe(isCovered);
});

test.each([
  ['venue_fund', 100n, true],
  ['venue_fund', 101n, false],
  ['venue_return', 40n, true],
  ['venue_return', 41n, false],
  ['capital_in', 1_000_000n, true],
  ['revenue_out', 20n, true],
  ['revenue_out', 21n, false],
] as const)('%s of %s is covered: %s', (kind, amountMicros, isCovered) => {
  expect(move(kind, amountMicros)).toBe(isCovered);
});

test('what the gateway holds in coins leaves it only by their sale', () => {
  expect(move('venue_fund', 30n, 70n)).toBe(true);
  expect(move('venue_fund', 31n, 70n)).toBe(false);
  expect(move('revenue_out', 20n, 81n)).toBe(false);
});

test('no more leaves an account of revenue than it has, and no more than the gateway holds', () => {
  const out = { kind: 'revenue_out', source: 'withdrawal_fees', coinMicros: 0n } as const;
  expect(isMoveCovered(house, { ...out, amountMicros: 5n })).toBe(true);
  expect(isMoveCovered(house, { ...out, amountMicros: 6n })).toBe(false);
  expect(isMoveCovered({ ...house, gateway: -4n }, { ...out, amountMicros: 5n })).toBe(false);
});

test('capital is added as long as reports can show what is held then, with as much room for deposits', () => {
  const held = { gateway: -4_000_000_000_000_000n, venue: -150_000_000_000_000n };
  expect(canShowCapital(held, 100_000_000_000_000n)).toBe(true);
  expect(canShowCapital(held, 100_000_000_000_001n)).toBe(false);
});
