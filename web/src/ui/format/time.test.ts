import { expect, test } from 'vitest';
import {
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
