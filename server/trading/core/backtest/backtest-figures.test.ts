import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDrawdown, findExtremes, listReturns, percentOf, sharpeRatio, sortinoRatio } from './backtest-result.ts';

test('drawdown: the largest fall in money and the largest in percent can differ', () => {
  expect(findDrawdown([100n, 120n, 90n, 200n, 160n])).toEqual({ amount: 40n, percent: 25 });
  expect(findDrawdown([100n, 110n, 110n])).toEqual({ amount: 0n, percent: 0 });
  expect(findDrawdown([100n, 0n])).toEqual({ amount: 100n, percent: 100 });
});

test('returns are relative to the equity before each session', () => {
  expect(listReturns([100n, 110n, 99n])).toEqual([0.1, -0.1]);
  expect(listReturns([100n, 0n, 0n])).toEqual([-1, 0]);
});

test('Sharpe and Sortino match values worked out by hand, per session', () => {
  expect(sharpeRatio([0.1, -0.1, 0.3])).toBe(0.5);
  expect(sortinoRatio([0.1, -0.1, 0.3])).toBe(1.732051);
});

test.each([
  ['no session', []],
  ['one session', [0.1]],
  ['no variation', [0.1, 0.1, 0.1]],
])('with %s there is no Sharpe ratio, and it is never infinite', (_, returns) => {
  expect(sharpeRatio(returns)).toBeNull();
});

test('without a losing session there is no Sortino ratio', () => {
  expect(sortinoRatio([0.1, 0, 0.2])).toBeNull();
  expect(sortinoRatio([-0.1])).toBeNull();
});

test('of equal best or worst sessions the first is named', () => {
  const sessions = [5n, -3n, 5n, -3n].map((result, index) => ({ day: `day ${index}`, result }));
  expect(findExtremes(sessions)).toEqual({ best: sessions[0], worst: sessions[1] });
  expect(findExtremes([])).toEqual({ best: null, worst: null });
});

test('ratios have four decimals, and nothing is −0', () => {
  expect(percentOf(1n, 3n)).toBe(33.3333);
  expect(percentOf(-1n, 3n)).toBe(-33.3333);
  expect(Object.is(percentOf(-1n, 1_000_000_000n), 0)).toBe(true);
  expect(percentOf(1n, 0n)).toBe(0);
});

test('whatever the sessions, ratios are finite or null and a drawdown is between zero and the whole', () => {
  const values = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { maxLength: 50 });
  fc.assert(
    fc.property(values, (list) => {
      const returns = listReturns(list);
      for (const ratio of [sharpeRatio(returns), sortinoRatio(returns)])
        expect(ratio === null || Number.isFinite(ratio)).toBe(true);
      const { amount, percent } = findDrawdown(list);
      expect(amount >= 0n && percent >= 0 && percent <= 100).toBe(true);
    }),
  );
});
