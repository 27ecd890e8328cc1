import { expect, test } from 'vitest';
import { pollPauseMs } from '../feeds/poll-prices.ts';

test.each([
  ['nothing failed: the pace', { paceMs: 300_000, failures: 0, wishMs: null }, 300_000],
  ['a wish after success: the pace', { paceMs: 5000, failures: 0, wishMs: 53_000 }, 5000],
  ['one failure', { paceMs: 300_000, failures: 1, wishMs: null }, 5000],
  ['three failures', { paceMs: 300_000, failures: 3, wishMs: null }, 20_000],
  ['ten failures of a slow source: its pace', { paceMs: 300_000, failures: 10, wishMs: null }, 300_000],
  ['ten failures of a quick source: a minute', { paceMs: 5000, failures: 10, wishMs: null }, 60_000],
  ['a thousand failures', { paceMs: 5000, failures: 2000, wishMs: null }, 60_000],
  ['a longer wish counts', { paceMs: 300_000, failures: 1, wishMs: 53_000 }, 53_000],
  ['a shorter wish does not', { paceMs: 300_000, failures: 5, wishMs: 1000 }, 80_000],
  ['a wish beyond an hour is an hour', { paceMs: 5000, failures: 1, wishMs: 1e12 }, 3_600_000],
])('%s', (_, source, pauseMs) => {
  expect(pollPauseMs(source)).toBe(pauseMs);
});
