import { expect, test } from 'vitest';
import { firstFeePlan, ranks } from '#contract/fee-plan.ts';
import { toMicros } from '#contract/money.ts';
import { countedOf, findNextRank, findRank, legCap, rankName, rankNumber, rankTitle } from './rank.ts';

const $ = toMicros;
const required = firstFeePlan.ranks.map(({ volume }) => $(volume));
const rankOf = (legs: readonly number[]) =>
  findRank(
    required.map((volume) => ({
      required: volume,
      counted: legs.reduce((sum, leg) => sum + countedOf($(leg), volume, 6000), 0n),
    })),
  );

test.each([
  ['no legs', [], undefined],
  ['one leg, however large', [10_000_000], undefined],
  ['60 % and 40 %', [3000, 2000], 1],
  ['what is over 60 % does not count', [4000, 1999.999999], undefined],
  ['60 % and a micro too little', [3000, 1999.999999], undefined],
  ['over 60 %, and enough beside it', [4000, 2000], 1],
  ['many small legs', [1000, 1000, 1000, 1000, 1000], 1],
  ['Silver', [15_000, 10_000], 2],
  ['nearly Silver is Bronze', [15_000, 9_999.999999], 1],
  ['Gold', [60_000, 20_000, 20_000], 3],
  ['Platinum', [300_000, 200_000], 4],
  ['Diamond', [1_200_000, 800_000], 5],
  ['beyond Diamond', [9_000_000, 9_000_000], 5],
] as const)('%s', (_, legs, rank) => {
  expect(rankOf(legs)).toBe(rank);
});

test('a leg counts for each rank up to that rank’s own cap', () => {
  expect(legCap($(5000), 6000)).toBe($(3000));
  expect(required.map((volume) => countedOf($(20_000), volume, 6000))).toEqual(
    [3000, 15_000, 20_000, 20_000, 20_000].map($),
  );
});

test('names, numbers and the rank above', () => {
  expect(ranks.map(rankNumber)).toEqual([1, 2, 3, 4, 5]);
  expect(ranks.map((_, index) => rankName(index + 1))).toEqual([...ranks]);
  expect(rankTitle('platinum')).toBe('Platinum');
  expect([undefined, 1, 4, 5].map(findNextRank)).toEqual([1, 2, 5, undefined]);
});
