import fc from 'fast-check';
import { expect, test } from 'vitest';
import { strategyNames } from '#contract/trading/strategy.ts';
import { averagePrice, firstFreshMinute, tickPath } from '#server/market/index.ts';
import { runs } from '#test/kit/property-runs.ts';
import { makeCandles } from '#test/recorded/made-candles.ts';
import { noStops } from '../stops/stops.ts';
import { type StrategyCandle, settingOf } from '../strategies.ts';
import { type AssetSession, initialState, listWindows, simulateAssetSession } from './backtest.ts';
import type { MarketRules } from './backtest-prices.ts';
import { showBacktest } from './backtest-result.ts';
import type { AssetOrder } from './backtest-session.ts';

const rules: MarketRules = {
  ticksOf: (candle) => tickPath({ ...candle, volume: 0 }, 900),
  averagePrice,
  firstFreshMinute,
};
const order: AssetOrder = {
  symbol: 'btc',
  setting: settingOf('session_hold'),
  amount: 1_000_000_000n,
  minimum: 5_000_000n,
  compounding: false,
  stops: noStops,
  rates: { tradeBps: 40, performanceBps: 1000 },
  spreadBps: 10,
};
const FROM = '2026-03-02';
const TO = '2026-03-06';
const windows = listWindows(FROM, TO, Date.parse('2026-03-07T00:00:00Z'));

function play(asset: AssetOrder, candles: readonly StrategyCandle[]): AssetSession[] {
  let state = initialState(asset.amount);
  return windows.map((window) => {
    const played = simulateAssetSession(asset, state, { candles, minutes: [] }, window, rules);
    state = played.state;
    return played.session;
  });
}
const still = (price: number) =>
  makeCandles('2026-03-01T00:00:00Z', 6 * 96, 1).map(({ atMs }) => ({
    atMs,
    open: price,
    high: price,
    low: price,
    close: price,
  }));

test('sessions are those of the given days, first and last included, if they have closed', () => {
  expect(windows.map(({ day }) => day)).toEqual(['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06']);
  const known = (time: string) => listWindows(FROM, TO, Date.parse(time)).length;
  expect([known('2026-03-04T17:29:59Z'), known('2026-03-04T17:30:00Z'), known('2026-03-01T00:00:00Z')]).toEqual([
    2, 3, 0,
  ]);
});

test('at a constant price each session costs the fee and the spread, and holding costs them once', () => {
  const sessions = play({ ...order, compounding: true }, still(100));
  // A session leaves (1 − 0.004) × 99.95 ÷ 100.05 = 0.995004497… of the equity, except for rounding down.
  expect(sessions.map(({ value }) => value)).toEqual([
    995_004_497n,
    990_033_950n,
    985_088_233n,
    980_167_223n,
    975_270_796n,
  ]);
  expect(sessions.map(({ hold }) => hold)).toEqual(Array(5).fill(995_004_497n));
});

test('the buy-and-hold benchmark buys at the first price, and is worth the whole amount before', () => {
  const candles = still(100).filter(({ atMs }) => atMs >= Date.parse('2026-03-04T00:00:00Z'));
  const sessions = play(order, candles);
  expect(sessions.map(({ hasPrice }) => hasPrice)).toEqual([false, false, true, true, true]);
  expect(sessions.slice(0, 3).map(({ hold }) => hold)).toEqual([1_000_000_000n, 1_000_000_000n, 995_004_497n]);
});

test('the result leaves out days without any price, and says so for the asset', () => {
  const candles = still(100).filter(({ atMs }) => atMs >= Date.parse('2026-03-04T00:00:00Z'));
  const result = showBacktest([{ order, sessions: play(order, candles) }], 'Replay');
  expect(result).toMatchObject({ from: '2026-03-04', to: '2026-03-06', market_label: 'Replay', trades_total: 3 });
  expect(result.equity.map(({ time }) => time.slice(0, 10))).toEqual(['2026-03-04', '2026-03-05', '2026-03-06']);
  expect(result.assets[0]).toMatchObject({ sessions_without_price: 2, trades: 3 });
  expect(result.stats).toMatchObject({
    sessions: 3,
    trades: 3,
    exposure_minutes: 900,
    exposure_percent: 100,
    win_rate: 0,
  });
});

test('trades are listed newest first, at most 1000 of them, and all are counted', () => {
  const sessions = play(order, still(100));
  const copied = Array.from({ length: 250 }, () => ({ order, sessions }));
  const result = showBacktest(copied, null);
  expect([result.trades.length, result.trades_total, result.stats.trades]).toEqual([1000, 1250, 1250]);
  expect(result.trades[0]?.day).toBe('2026-03-06');
  expect(result.trades.at(-1)?.day).toBe('2026-03-03');
});

test('waits are counted over all assets, most frequent first, with the last of each', () => {
  const sessions = play(order, still(100));
  const { waits } = showBacktest(
    [
      { order, sessions },
      { order: { ...order, symbol: 'eth' }, sessions: play({ ...order, minimum: 10n ** 12n }, still(100)) },
    ],
    null,
  ).stats;
  expect(waits).toEqual([
    {
      code: 'under_minimum',
      count: 100,
      last: { symbol: 'eth', time: '2026-03-06T17:15:00.000Z', facts: { minimum: 1_000_000 } },
    },
  ]);
});

const cases = fc.record({
  strategy: fc.constantFrom(...strategyNames),
  seed: fc.integer({ min: 0, max: 1_000_000 }),
  compounding: fc.boolean(),
  stops: fc.record({
    stopLoss: fc.option(fc.integer({ min: 1, max: 30 })),
    takeProfit: fc.option(fc.integer({ min: 1, max: 30 })),
    trailingStop: fc.option(fc.integer({ min: 1, max: 30 })),
  }),
});
type Case = typeof cases extends fc.Arbitrary<infer C> ? C : never;
const orderOf = ({ strategy, compounding, stops }: Case): AssetOrder => ({
  ...order,
  setting: settingOf(strategy),
  compounding,
  stops,
});
const candlesOf = ({ seed }: Case) => makeCandles('2026-03-01T00:00:00Z', 6 * 96, seed);

test('fees are never negative, no trade loses more than its amount, and equity matches the results of the trades', () => {
  fc.assert(
    fc.property(cases, (one) => {
      let value = order.amount;
      for (const session of play(orderOf(one), candlesOf(one))) {
        for (const trade of session.trades) {
          expect(trade.fee > 0n && trade.performanceFee >= 0n && trade.result >= -trade.amount).toBe(true);
          expect(trade.openedAtMs < trade.closedAtMs).toBe(true);
          value += trade.result;
        }
        expect(session.value).toBe(value);
      }
    }),
    { numRuns: runs(60) },
  );
});

test('later prices are unknown to a trade: changing them leaves every earlier trade alone', () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 96, max: 6 * 96 }), (one, cut) => {
      const candles = candlesOf(one);
      const changedFromMs = candles[cut]?.atMs ?? Number.POSITIVE_INFINITY;
      const changed = candles.map((candle) =>
        candle.atMs < changedFromMs
          ? candle
          : { ...candle, open: candle.open * 2, high: candle.high * 3, low: candle.low / 2, close: candle.close / 2 },
      );
      const before = (list: readonly StrategyCandle[]) =>
        play(orderOf(one), list).flatMap(({ trades }) => trades.filter((trade) => trade.closedAtMs < changedFromMs));
      expect(before(changed)).toEqual(before(candles));
    }),
    { numRuns: runs(60) },
  );
});
