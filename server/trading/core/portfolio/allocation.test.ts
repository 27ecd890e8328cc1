import { expect, test } from 'vitest';
import { allocate } from '../../portfolio/get-portfolio.ts';

test('parts are listed largest first with their share, without empty ones', () => {
  expect(
    allocate([
      { label: 'btc/usdt', value: 250n },
      { label: 'Primary wallet', value: 750n },
      { label: 'Profit wallet', value: 0n },
    ]),
  ).toEqual([
    { label: 'Primary wallet', value: 750n, share: 0.75 },
    { label: 'btc/usdt', value: 250n, share: 0.25 },
  ]);
});

test('shares are truncated, so that they never sum to more than the whole', () => {
  const shares = allocate(['a', 'b', 'c'].map((label) => ({ label, value: 1n }))).map((part) => part.share);
  expect(shares).toEqual([0.333333, 0.333333, 0.333333]);
});

test('an empty portfolio has no parts', () => {
  expect(allocate([{ label: 'Primary wallet', value: 0n }])).toEqual([]);
});
