import { expect, test } from 'vitest';
import { countedAssets, holdingOf, reportedTotal } from './counted-assets.ts';

const now = new Date('2026-11-21T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

const unreported = { reported: null, deviation: null };

test('a report counts for an hour and not a millisecond longer', () => {
  const at = (age: Date) => holdingOf(100n, true, { micros: 90n, booked: 95n, at: age }, now);
  const known = { booked: 100n, reported: 90n, deviation: -5n };
  expect(at(minutesAgo(60))).toEqual({ state: 'reported', ...known, at: minutesAgo(60) });
  const old = new Date(minutesAgo(60).getTime() - 1);
  expect(at(old)).toEqual({ state: 'unknown', booked: 100n, ...unreported, at: old });
});

test('a holder without a report is unknown, and one without real assets is simulated, whatever was reported earlier', () => {
  expect(holdingOf(100n, true, undefined, now)).toEqual({ state: 'unknown', booked: 100n, ...unreported, at: null });
  const once = { micros: 0n, booked: 0n, at: now };
  expect(holdingOf(100n, false, once, now)).toEqual({ state: 'simulated', booked: 100n, ...unreported, at: null });
});

const reported = (booked: bigint, micros: bigint, then: bigint | null = null) =>
  holdingOf(booked, true, { micros, booked: then, at: now }, now);
const unknown = (booked: bigint) => holdingOf(booked, true, undefined, now);
const simulated = (booked: bigint) => holdingOf(booked, false, undefined, now);

test('the lower of booked and reported counts, both holders together', () => {
  expect(countedAssets([reported(60n, 50n), reported(40n, 45n)])).toBe(95n);
  expect(countedAssets([reported(60n, 70n), reported(40n, 45n)])).toBe(100n);
  expect(countedAssets([reported(60n, 0n), simulated(40n)])).toBe(40n);
});

test('what was booked since a report counts with it, whichever way it went', () => {
  expect(countedAssets([reported(110n, 60n, 60n), simulated(40n)])).toBe(150n);
  expect(countedAssets([reported(110n, 55n, 60n), simulated(40n)])).toBe(145n);
  expect(countedAssets([reported(10n, 55n, 60n), simulated(40n)])).toBe(45n);
});

test('while one is unknown there is no total, and what is booked counts: unknown is not zero', () => {
  expect(reportedTotal([reported(60n, 0n), unknown(40n)])).toBeNull();
  expect(countedAssets([reported(60n, 0n), unknown(40n)])).toBe(100n);
});
