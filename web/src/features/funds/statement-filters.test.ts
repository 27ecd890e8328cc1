import { expect, test } from 'vitest';
import { filterWords, periodStart } from './statement-filters.ts';

test.each([
  ['7d', '2026-03-04T14:05:00Z', '2026-02-26T00:00:00.000Z'],
  ['7d', '2026-03-04T00:00:00Z', '2026-02-26T00:00:00.000Z'],
  ['7d', '2026-03-04T23:59:59Z', '2026-02-26T00:00:00.000Z'],
  ['30d', '2026-03-04T14:05:00Z', '2026-02-03T00:00:00.000Z'],
  ['90d', '2026-03-04T14:05:00Z', '2025-12-05T00:00:00.000Z'],
  ['365d', '2026-03-04T14:05:00Z', '2025-03-05T00:00:00.000Z'],
] as const)('%s at %s begins %s, the same all day', (period, now, start) => {
  expect(periodStart(period, new Date(now))).toBe(start);
});

test('the filters that are on are named, the others not', () => {
  expect(filterWords({ kind: 'Trade fee', wallet: 'In trades', from: '2026-02-26T00:00:00.000Z' })).toBe(
    '“Trade fee”, In trades, since 26 Feb 2026',
  );
  expect(filterWords({ wallet: 'Profit Wallet' })).toBe('Profit Wallet');
});
