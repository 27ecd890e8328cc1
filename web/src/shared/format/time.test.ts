import { expect, test } from 'vitest';
import {
  formatCountdown,
  formatDate,
  formatDateTime,
  formatDay,
  formatLocalHours,
  formatLongDate,
  formatMarketTime,
  formatShortDateTime,
  formatTime,
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
  expect(formatLongDate(at)).toBe('Wednesday, 4 March 2026');
});

test('local hours are named by their place', () => {
  const hours = formatLocalHours('2026-03-04T12:30:00.000Z', '2026-03-04T17:30:00.000Z', 'Asia/Dubai');
  expect(hours).toBe('4:30 PM to 9:30 PM');
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
])('%d ms left is %s', (ms, text) => {
  expect(formatCountdown(ms)).toBe(text);
});
