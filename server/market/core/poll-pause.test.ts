import { expect, test } from 'vitest';
import { pollPauseMs } from '../feeds/poll-prices.ts';

test.each([
  ['no failure: the poll interval', { paceMs: 300_000, failures: 0, wishMs: null }, 300_000],
  ['a requested pause after success: the poll interval', { paceMs: 5000, failures: 0, wishMs: 53_000 }, 5000],
  ['one failure', { paceMs: 300_000, failures: 1, wishMs: null }, 5000],
  ['three failures', { paceMs: 300_000, failures: 3, wishMs: null }, 20_000],
  ['ten failures of a slow source: its poll interval', { paceMs: 300_000, failures: 10, wishMs: null }, 300_000],
  ['ten failures of a fast source: a minute', { paceMs: 5000, failures: 10, wishMs: null }, 60_000],
  ['a thousand failures', { paceMs: 5000, failures: 2000, wishMs: null }, 60_000],
  ['a longer requested pause applies', { paceMs: 300_000, failures: 1, wishMs: 53_000 }, 53_000],
  ['a shorter requested pause does not', { paceMs: 300_000, failures: 5, wishMs: 1000 }, 80_000],
  ['a requested pause beyond an hour is an hour', { paceMs: 5000, failures: 1, wishMs: 1e12 }, 3_600_000],
])('%s', (_, source, pauseMs) => {
  expect(pollPauseMs(source)).toBe(pauseMs);
});
