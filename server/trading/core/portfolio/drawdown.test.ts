import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { measureDrawdown } from './drawdown.ts';

const DAY_MS = 86_400_000;
const day = (index: number) => new Date(index * DAY_MS);
type Pairs = readonly (readonly [value: number, netDeposits: number])[];
/** Points of value and net deposits, in dollars, a day apart. */
const points = (...pairs: Pairs) =>
  pairs.map(([value, netDeposits], index) => ({
    at: day(index),
    value: BigInt(Math.round(value * 1e6)),
    netDeposits: BigInt(Math.round(netDeposits * 1e6)),
  }));
const dollars = (amount: number) => BigInt(Math.round(amount * 1e6));

const none = { amount: 0n, at: null };

test.each<[string, Pairs, object]>([
  [
    'the example in its comment: 210 dollars and 10 %, with the deposit neither gain nor loss',
    [
      [1000, 1000],
      [1100, 1000],
      [1890, 2000],
    ],
    {
      now: { amount: dollars(210), percent: 10 },
      deepestAmount: { amount: dollars(210), at: day(2) },
      deepestPercent: { percent: 10, at: day(2) },
      amounts: [0n, 0n, dollars(210)],
    },
  ],
  [
    'a withdrawal is no drawdown: 1 000 becomes 1 100, then 600 leave',
    [
      [1000, 1000],
      [1100, 1000],
      [500, 400],
    ],
    { now: { amount: 0n, percent: 0 }, deepestAmount: none },
  ],
  [
    'a loss from the first day counts, because P&L starts at zero',
    [
      [950, 1000],
      [900, 1000],
    ],
    { now: { amount: dollars(100), percent: 10 } },
  ],
  [
    'the max drawdown stays when P&L recovers; the current drawdown is what is left of it',
    [
      [1000, 1000],
      [1200, 1000],
      [900, 1000],
      [1140, 1000],
    ],
    {
      now: { amount: dollars(60), percent: 5 },
      deepestAmount: { amount: dollars(300), at: day(2) },
      deepestPercent: { percent: 25, at: day(2) },
    },
  ],
  [
    'the max drawdown in dollars and in percent can be on different days',
    [
      [100, 100],
      [80, 100],
      [100, 100],
      [10_000, 10_000],
      [9_900, 10_000],
    ],
    { deepestAmount: { amount: dollars(100), at: day(4) }, deepestPercent: { percent: 20, at: day(1) } },
  ],
  [
    'a total loss is 100 %, and a later deposit does not undo it',
    [
      [1000, 1000],
      [0, 1000],
      [500, 1500],
    ],
    { now: { amount: dollars(1000), percent: 100 } },
  ],
  ['an empty history has no drawdown', [], { now: { amount: 0n, percent: 0 } }],
  ['without deposits there is no drawdown', [[0, 0]], { deepestPercent: { percent: 0, at: null } }],
])('%s', (_, pairs, expected) => {
  expect(measureDrawdown(points(...pairs))).toMatchObject(expected);
});

const step = fc.record({
  /** A day’s trading result, in percent of the value. */
  growth: fc.integer({ min: -90, max: 90 }),
  moved: fc.integer({ min: -400, max: 400 }),
});

/** A history in which money moves before each day’s trading. */
function historyOf(steps: readonly { growth: number; moved: number }[]) {
  let value = dollars(1000);
  let netDeposits = dollars(1000);
  return steps.map(({ growth, moved }, index) => {
    const possible = BigInt(moved) * 1_000_000n < -value ? -value : BigInt(moved) * 1_000_000n;
    value += possible;
    netDeposits += possible;
    value += (value * BigInt(growth)) / 100n;
    return { at: day(index), value, netDeposits };
  });
}

describe('for any history', () => {
  test('drawdown is between 0 and 100 %, and the current one never exceeds the max', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { now, deepestAmount, deepestPercent, amounts } = measureDrawdown(historyOf(steps));
        expect(amounts.every((amount) => amount >= 0n)).toBe(true);
        expect(now.amount <= deepestAmount.amount).toBe(true);
        expect(now.percent).toBeGreaterThanOrEqual(0);
        expect(now.percent).toBeLessThanOrEqual(deepestPercent.percent);
        expect(deepestPercent.percent).toBeLessThanOrEqual(100);
      }),
    );
  });

  test('movements without gain or loss change neither dollars nor percent', () => {
    const quiet = fc.array(fc.integer({ min: -400, max: 400 }), { maxLength: 40 });
    fc.assert(
      fc.property(quiet, (moves) => {
        const { now, deepestAmount, deepestPercent } = measureDrawdown(
          historyOf(moves.map((moved) => ({ growth: 0, moved }))),
        );
        expect([now.amount, deepestAmount.amount]).toEqual([0n, 0n]);
        expect([now.percent, deepestPercent.percent]).toEqual([0, 0]);
      }),
    );
  });

  test('the dollars match a search through all pairs of points', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        const history = historyOf(steps);
        const results = [0n, ...history.map(({ value, netDeposits }) => value - netDeposits)];
        const falls = results.flatMap((high, index) => results.slice(index).map((later) => high - later));
        const deepest = falls.reduce((most, fall) => (fall > most ? fall : most), 0n);
        expect(measureDrawdown(history).deepestAmount.amount).toBe(deepest);
      }),
    );
  });
});
