import { expect, test } from 'vitest';
import {
  formatAxisDays,
  formatCountdown,
  formatDate,
  formatDateTime,
  formatDay,
  formatDays,
  formatLocalHours,
  formatLongDate,
  formatMarketTime,
  formatMonth,
  formatShortDateTime,
  formatShortWeekday,
  formatTime,
  formatWeekday,
  localPlace,
} from './time.ts';

const at = '2026-03-04T14:05:09.000Z';

test('dates and times are UTC, whatever the viewer’s zone', () => {
  expect(formatDate(at)).toBe('4 Mar 2026');
  expect(formatDay(at)).toBe('4 Mar');
  expect(formatDay('2026-09-30T23:59:59.000Z')).toBe('30 Sep');
  expect(formatTime(at)).toBe('14:05');
  expect(formatTime('2026-03-04T00:05:00.000Z')).toBe('00:05');
  expect(formatDateTime(at)).toBe('4 Mar 2026, 14:05 UTC');
  expect(formatShortDateTime(at)).toBe('4 Mar, 14:05');
  expect(formatMarketTime(at)).toBe('2026-03-04 14:05 UTC');
  expect(formatLongDate(at)).toBe('4 March 2026');
  expect(formatWeekday(at)).toBe('Wednesday, 4 March 2026');
});

test('weeks and months are named by their days', () => {
  expect(formatShortWeekday('2026-03-09')).toBe('Mon 9 Mar');
  expect(formatDays('2026-02-23', '2026-03-01')).toBe('23 Feb – 1 Mar');
  expect(formatDays('2026-02-16', '2026-02-22')).toBe('16 – 22 Feb');
  expect(formatDays('2026-09-28', '2026-10-04')).toBe('28 Sep – 4 Oct');
  expect(formatMonth('2026-03')).toBe('March 2026');
});

test('a day of another year than this one, 2026 in tests, has its year', () => {
  expect(formatDay('2025-03-04')).toBe('4 Mar 2025');
  expect(formatShortDateTime('2027-01-01T00:00:00.000Z')).toBe('1 Jan 2027, 00:00');
  expect(formatShortDateTime('2025-12-31T23:59:59.999Z')).toBe('31 Dec 2025, 23:59');
  expect(formatDays('2025-03-10', '2025-03-16')).toBe('10 – 16 Mar 2025');
  expect(formatDays('2025-12-29', '2026-01-04')).toBe('29 Dec 2025 – 4 Jan 2026');
});

test('a time axis names a year once, where it begins', () => {
  const shown = (...days: string[]) => formatAxisDays(days.map((day) => Date.parse(day)));
  expect(shown('2026-01-04', '2026-03-04')).toEqual(['4 Jan', '4 Mar']);
  expect(shown('2025-11-30', '2026-03-01', '2026-11-30')).toEqual(['30 Nov 2025', '1 Mar', '30 Nov']);
  expect(shown('2024-11-30', '2024-12-20', '2025-01-10', '2025-02-01')).toEqual([
    '30 Nov 2024',
    '20 Dec',
    '10 Jan 2025',
    '1 Feb',
  ]);
});

test('local hours are named after their place', () => {
  expect(formatLocalHours('2026-03-04T12:30:00.000Z', '2026-03-04T17:30:00.000Z', 'Asia/Dubai')).toBe('4:30 – 9:30 PM');
  expect(localPlace('Asia/Dubai')).toBe('Dubai');
  expect(localPlace('America/New_York')).toBe('New York');
  expect(localPlace('UTC')).toBe('UTC');
});

test.each([
  [12_291_000, '3:24:51'],
  [3_600_000, '1:00:00'],
  [558_000, '9:18'],
  [42_000, '0:42'],
  [1, '0:01'],
  [0, '0:00'],
  [-5_000, '0:00'],
])('%d ms left is shown as %s', (ms, text) => {
  expect(formatCountdown(ms)).toBe(text);
});
