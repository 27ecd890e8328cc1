import { expect, test } from 'vitest';
import { allocationParts } from './allocation-parts.ts';

const part = (label: string, value: number) => ({ label, value, share: 0 });

test('assets come first and largest first, wallets last; shares add up to a hundred', () => {
  const parts = allocationParts([
    part('Primary wallet', 500),
    part('sol/usdt', 100),
    part('btc/usdt', 300),
    part('Profit wallet', 100),
  ]);
  expect(parts.map(({ label, series }) => [label, series])).toEqual([
    ['btc/usdt', 1],
    ['sol/usdt', 2],
    ['Primary wallet', 3],
    ['Profit wallet', 4],
  ]);
  expect(parts.reduce((sum, { percent }) => sum + percent, 0)).toBeCloseTo(100, 10);
});

test('a bare symbol is an asset too', () => {
  expect(allocationParts([part('btc', 1)])[0]?.symbol).toBe('btc');
});

test('the fifth part and those after it share a colour', () => {
  const parts = allocationParts(
    ['btc', 'eth', 'sol', 'ltc', 'xrp', 'ada'].map((label, index) => part(label, 10 - index)),
  );
  expect(parts.map(({ series }) => series)).toEqual([1, 2, 3, 4, 5, 5]);
});

test('what is empty is not shown, and nothing at all is no division by zero', () => {
  expect(allocationParts([part('Profit wallet', 0)])).toEqual([]);
});
