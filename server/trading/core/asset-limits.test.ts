import { expect, test } from 'vitest';
import { liveLimits, tradesOverLimits } from './asset-limits.ts';

const none = { tradeMicros: null, memberMicros: null, allMicros: null };
const queued = (...amounts: [member: bigint, amount: bigint][]) =>
  amounts.map(([memberId, amount], index) => ({ id: BigInt(index + 1), memberId, amount }));

test.each([
  ['without a limit nothing is over', none, [], [], [[1n, 900n]]],
  [
    'one trade is too large',
    { ...none, tradeMicros: 50n },
    [2n],
    [],
    [
      [1n, 50n],
      [1n, 51n],
      [1n, 50n],
    ],
  ],
  [
    'one member has too much, the others do not',
    { ...none, memberMicros: 100n },
    [3n],
    [[1n, 40n]],
    [
      [1n, 60n],
      [2n, 100n],
      [1n, 1n],
    ],
  ],
  [
    'all together have too much: the oldest trades stay, and a smaller one further back still fits',
    { ...none, allMicros: 100n },
    [2n],
    [[9n, 30n]],
    [
      [1n, 50n],
      [2n, 40n],
      [3n, 20n],
    ],
  ],
  ['open trades alone exceed it', { ...none, allMicros: 100n }, [1n], [[9n, 130n]], [[1n, 1n]]],
] as const)('%s', (_, limits, over, open, trades) => {
  expect(tradesOverLimits(limits, new Map(open), queued(...(trades as unknown as [bigint, bigint][])))).toEqual(over);
});

test('live mode starts with limits by liquidity', () => {
  expect(liveLimits('eth')).toEqual({
    tradeMicros: 50_000_000_000n,
    memberMicros: 250_000_000_000n,
    allMicros: 5_000_000_000_000n,
  });
  expect(liveLimits('doge')).toEqual({
    tradeMicros: 10_000_000_000n,
    memberMicros: 50_000_000_000n,
    allMicros: 500_000_000_000n,
  });
});
