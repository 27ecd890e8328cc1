import { expect, test } from 'vitest';
import { closingMinute, findNextWindow, findSessionWindow, findSkip } from './session-window.ts';

const at = (text: string) => new Date(`${text}Z`);

test.each([
  ['long before the opening', '2026-03-04T00:00:00.000', '2026-03-04'],
  ['at the opening', '2026-03-04T12:30:00.000', '2026-03-04'],
  ['in the last millisecond', '2026-03-04T17:29:59.999', '2026-03-04'],
  ['at the close it is the next day’s', '2026-03-04T17:30:00.000', '2026-03-05'],
  ['across the end of a month', '2026-02-28T18:00:00.000', '2026-03-01'],
  ['across the end of a year', '2025-12-31T23:59:59.999', '2026-01-01'],
])('the current or next session: %s', (_, marketAt, day) => {
  expect(findSessionWindow(at(marketAt))).toEqual({
    day,
    opensAt: at(`${day}T12:30:00`),
    closesAt: at(`${day}T17:30:00`),
  });
});

test('the session after a settled one is the next day’s, or later if settlement took longer', () => {
  const first = findSessionWindow(at('2026-03-04T13:00:00'));
  expect(findNextWindow(first, at('2026-03-04T17:30:00')).day).toBe('2026-03-05');
  expect(findNextWindow(first, at('2026-03-05T13:00:00')).day).toBe('2026-03-05');
  expect(findNextWindow(first, at('2026-03-05T17:30:00')).day).toBe('2026-03-06');
});

test('a session that a recording ended early is followed by the next day’s, never by itself', () => {
  const first = findSessionWindow(at('2026-03-04T13:00:00'));
  expect(findNextWindow(first, at('2026-03-04T14:00:00')).day).toBe('2026-03-05');
});

test('the clock skips to ten minutes before the opening, and never back', () => {
  const session = findSessionWindow(at('2026-03-03T18:00:00'));
  expect(findSkip(session, at('2026-03-03T18:00:00'))).toEqual(at('2026-03-04T12:20:00'));
  expect(findSkip(session, at('2026-03-04T12:20:00'))).toBeUndefined();
  expect(findSkip(session, at('2026-03-04T12:25:00'))).toBeUndefined();
});

test('closing marks are averaged over the last minute of the session, or of a recording that ends earlier', () => {
  const session = findSessionWindow(at('2026-03-04T13:00:00'));
  const last = { from: at('2026-03-04T17:29:00'), to: at('2026-03-04T17:30:00') };
  expect(closingMinute(session, at('2026-03-04T17:30:00'))).toEqual(last);
  expect(closingMinute(session, at('2026-03-04T19:00:00'))).toEqual(last);
  expect(closingMinute(session, at('2026-03-04T14:00:00'))).toEqual({
    from: at('2026-03-04T13:59:00'),
    to: at('2026-03-04T14:00:00'),
  });
});
