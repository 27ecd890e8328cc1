import { expect, test } from 'vitest';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import { allocationParts, heldText } from './allocation-panel.tsx';

type Allocated = Portfolio['allocation'][number];
const part = (label: string, value: number, kind: Allocated['kind'] = 'asset'): Allocated => ({
  kind,
  label,
  value,
  symbol: kind === 'asset' ? label : null,
  trades: 0,
  plans: 0,
  share: 0,
});

test('assets come first, largest first, then wallets; shares add up to a hundred', () => {
  const parts = allocationParts([
    part('Primary wallet', 500, 'wallet'),
    part('sol', 100),
    part('btc', 300),
    part('Profit wallet', 100, 'wallet'),
  ]);
  expect(parts.map(({ label, series }) => [label, series])).toEqual([
    ['btc', 1],
    ['sol', 2],
    ['Primary wallet', 3],
    ['Profit wallet', 4],
  ]);
  expect(parts.reduce((sum, { percent }) => sum + percent, 0)).toBeCloseTo(100, 10);
});

test('the fifth part and all after it share a colour', () => {
  const parts = allocationParts(
    ['btc', 'eth', 'sol', 'ltc', 'xrp', 'ada'].map((label, index) => part(label, 10 - index)),
  );
  expect(parts.map(({ series }) => series)).toEqual([1, 2, 3, 4, 5, 5]);
});

test('empty parts are not shown, and an empty portfolio does not divide by zero', () => {
  expect(allocationParts([part('Profit wallet', 0, 'wallet')])).toEqual([]);
});

test.each([
  [1, 0, '1 trade'],
  [2, 1, '2 trades, 1 plan'],
  [0, 3, '3 plans'],
  [0, 0, ''],
])('%d trades and %d plans: "%s"', (trades, plans, words) => {
  expect(heldText({ trades, plans })).toBe(words);
});
