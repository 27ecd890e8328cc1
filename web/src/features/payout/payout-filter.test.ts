import { expect, test } from 'vitest';
import { daysBefore, fileNameOf, filterWords } from './payout-filter.ts';

test('seven days with today begin six days before, over months and leap days', () => {
  expect(daysBefore('2026-03-04', 6)).toBe('2026-02-26');
  expect(daysBefore('2028-03-01', 1)).toBe('2028-02-29');
});

test('the filter reads in words and names the file', () => {
  const filter = { kind: 'weekly', from: '2026-03-01', to: '2026-03-04' } as const;
  expect(filterWords(filter)).toBe('“Weekly Income”, 1 to 4 Mar');
  expect(filterWords({ from: '2026-03-01' })).toBe('since 1 Mar 2026');
  expect(filterWords({ to: '2026-03-04' })).toBe('until 4 Mar 2026');
  expect(filterWords({})).toBe('');
  expect(fileNameOf(filter)).toBe('payout-weekly-from-2026-03-01-to-2026-03-04.csv');
  expect(fileNameOf({})).toBe('payout.csv');
});
