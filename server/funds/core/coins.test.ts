import { expect, test } from 'vitest';
import {
  addUnits,
  bookedRate,
  isPlausibleFee,
  isRateAccepted,
  microsBookedFor,
  unitsBookedFor,
  valueOfCoins,
} from './coins.ts';

const half = { units: '0.5', bookedMicros: 25_000_000_000n };
const owed = { units: '-0.1', bookedMicros: -5_000_000_000n };

test('coins and dollars as worked by hand, rounded down', () => {
  expect(valueOfCoins('0.0198', '50000')).toBe(990_000_000n);
  expect(valueOfCoins('0.00000001', '64392.239')).toBe(643n);
  // What is owed is never rounded to less.
  expect(valueOfCoins('-0.00000001', '64392.239')).toBe(-644n);
  expect(addUnits('0.3', '-0.1')).toBe('0.2');
  expect(addUnits('0.00000001', '0')).toBe('0.00000001');
});

test('what is booked for some coins, and the coins that dollars are booked for', () => {
  expect(microsBookedFor(half, '0.0198')).toBe(990_000_000n);
  expect(unitsBookedFor(half, 990_000_000n)).toBe('0.0198');
  expect(unitsBookedFor(half, -990_000_000n)).toBe('-0.0198');
  expect(bookedRate(half)).toBe('50000');
  // No more than there is; and nothing of what is not held.
  expect(microsBookedFor(half, '0.7')).toBe(25_000_000_000n);
  expect(microsBookedFor(owed, '0.1')).toBe(0n);
  expect(unitsBookedFor(owed, 990_000_000n)).toBe('0');
  expect(bookedRate(owed)).toBeNull();
});

const hour = new Date('2026-03-04T14:00:00Z');
const before = (minutes: number) => new Date(hour.getTime() - minutes * 60_000);

test.each([
  ['the first', '50000', null, null, true],
  ['twice as much', '100000', '50000', null, true],
  ['more than twice', '100000.01', '50000', null, false],
  ['less than half', '24999.99', '50000', null, false],
  ['as far as one of an hour ago', '9200', '50000', { rate: '9000', at: before(60) }, true],
  ['as far as one of just now', '9200', '50000', { rate: '9000', at: before(59) }, false],
  ['far from both', '2000', '50000', { rate: '9000', at: before(60) }, false],
])('a rate that is %s is accepted or an outlier', (_, rate, last, outlier, isAccepted) => {
  expect(isRateAccepted(rate, { rate: last, outlier }, hour)).toBe(isAccepted);
});

test.each([
  [200_000_000n, 0n, true],
  [200_000_001n, 4_000_000_000n, false],
  [200_000_001n, 4_000_000_020n, true],
])('a fee of %d for payouts of %d is one: %s', (fee, sent, isPlausible) => {
  expect(isPlausibleFee(fee, sent)).toBe(isPlausible);
});
