import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  activeAfter,
  addDays,
  findStart,
  isActiveAt,
  lastDay,
  monthName,
  monthOf,
  paysAt,
  periodId,
  periodOf,
  weekName,
  weekOf,
} from './periods.ts';

test.each([
  ['2026-03-02', '2026-03-02', '2026-03-09', '2026-W10'],
  ['2026-03-08', '2026-03-02', '2026-03-09', '2026-W10'],
  ['2026-03-09', '2026-03-09', '2026-03-16', '2026-W11'],
  // A week spanning two years belongs to the year of its Thursday.
  ['2024-12-30', '2024-12-30', '2025-01-06', '2025-W01'],
  ['2026-12-31', '2026-12-28', '2027-01-04', '2026-W53'],
  ['2027-01-03', '2026-12-28', '2027-01-04', '2026-W53'],
  ['2027-01-04', '2027-01-04', '2027-01-11', '2027-W01'],
  ['2022-01-01', '2021-12-27', '2022-01-03', '2021-W52'],
  ['2024-02-29', '2024-02-26', '2024-03-04', '2024-W09'],
])('%s is in the week from %s to %s, %s', (day, startsOn, endsOn, name) => {
  expect(weekOf(day)).toEqual({ kind: 'weekly', startsOn, endsOn });
  expect(weekName(startsOn)).toBe(name);
});

test.each([
  ['2026-03-01', '2026-03-01', '2026-04-01', '2026-03'],
  ['2026-12-31', '2026-12-01', '2027-01-01', '2026-12'],
  ['2024-02-29', '2024-02-01', '2024-03-01', '2024-02'],
  ['2026-02-28', '2026-02-01', '2026-03-01', '2026-02'],
])('%s is in the month from %s to %s, %s', (day, startsOn, endsOn, name) => {
  expect(monthOf(day)).toEqual({ kind: 'monthly', startsOn, endsOn });
  expect(monthName(startsOn)).toBe(name);
});

const anyDay = fc.integer({ min: 0, max: 40_000 }).map((days) => addDays('1990-01-01', days));
const anyKind = fc.constantFrom('weekly' as const, 'monthly' as const);

test('every day is in one period of each kind, which begins where the one before ends', () => {
  fc.assert(
    fc.property(anyKind, anyDay, (kind, day) => {
      const period = periodOf(kind, day);
      expect(period.startsOn <= day && day < period.endsOn).toBe(true);
      expect(periodOf(kind, period.startsOn)).toEqual(period);
      expect(periodOf(kind, lastDay(period))).toEqual(period);
      expect(periodOf(kind, period.endsOn).startsOn).toBe(period.endsOn);
    }),
  );
});

test('an id leads back to its period, and to none when no period of the kind begins there', () => {
  fc.assert(
    fc.property(anyKind, anyDay, (kind, day) => {
      const { startsOn } = periodOf(kind, day);
      expect(findStart(kind, periodId(startsOn))).toBe(startsOn);
      expect(findStart(kind, periodId(day))).toBe(day === startsOn ? day : undefined);
    }),
  );
});

test.each(['20260303', '20260230', '2026030', '202603020', '00000000', '00000103', '00010101', 'x', '', '99999999'])(
  '%s is the id of no week',
  (id) => {
    expect(findStart('weekly', id)).toBeUndefined();
  },
);

test('a period can be paid from the midnight after its last day', () => {
  expect(lastDay(weekOf('2026-03-04'))).toBe('2026-03-08');
  expect(paysAt(weekOf('2026-03-04'))).toEqual(new Date('2026-03-09T00:00:00Z'));
});

test.each([
  ['2026-03-31', '2026-03-31', true],
  ['2026-03-31', '2026-03-02', true],
  ['2026-03-31', '2026-03-01', false],
  ['2026-03-31', null, false],
  ['2026-03-31', undefined, false],
  [undefined, '2026-03-31', false],
])('as of the session of %s, who traded last in that of %s is active: %s', (session, traded, isActive) => {
  expect(isActiveAt(session, traded)).toBe(isActive);
});

test('the 30 days reach over the end of a month and of a year', () => {
  expect(activeAfter('2026-03-15')).toBe('2026-02-13');
  expect(activeAfter('2026-01-10')).toBe('2025-12-11');
});
