import { expect, test } from 'vitest';
import { findSessionWindow } from '../session-window.ts';
import type { StrategyCandle } from '../strategies.ts';
import { decimalText, type MarketRules, readSession } from './backtest-prices.ts';

const STEP = 900_000;
const window = findSessionWindow(new Date('2026-03-04T12:00:00Z'));
const at = (time: string) => Date.parse(`2026-03-04T${time}Z`);

/** Candles from 12:00 to 18:00 whose prices are their index. */
const candles: StrategyCandle[] = Array.from({ length: 24 }, (_, index) => {
  const price = index + 1;
  return { atMs: at('12:00:00') + index * STEP, open: price, high: price, low: price, close: price };
});

/** Every candle has one tick, at its open; averages return what they were asked for. */
const rules: MarketRules = {
  ticksOf: (candle) => [{ atMs: candle.atMs, price: candle.open }],
  averagePrice: (ticks, { fromMs, toMs }) => `${ticks.map(({ price }) => price).join('+')} ${(toMs - fromMs) / 1000} s`,
  firstFreshMinute: () => null,
};
const without = (...times: string[]) => candles.filter((candle) => !times.map(at).includes(candle.atMs));

test('a boundary has the candles closed by then, and those up to the next boundary', () => {
  const { boundaries, day } = readSession({ candles, minutes: [] }, window, 3, rules);
  expect([day, boundaries.length]).toEqual(['2026-03-04', 20]);
  expect(boundaries[0]).toEqual({
    atMs: at('12:30:00'),
    closed: candles.slice(0, 2),
    candles: candles.slice(2, 3),
  });
  expect(boundaries[19]).toMatchObject({ atMs: at('17:15:00'), closed: candles.slice(18, 21) });
});

test('a missing candle gives no prices and leaves a visible gap', () => {
  const { boundaries } = readSession({ candles: without('13:00:00'), minutes: [] }, window, 3, rules);
  expect(boundaries[2]).toMatchObject({ atMs: at('13:00:00'), candles: [] });
  expect(boundaries[3]?.closed.map(({ close }) => close)).toEqual([2, 3, 4]);
});

test('the minutes of a quarter of an hour, where they exist, replace its candle', () => {
  const minutes = [3, 4].map((minute) => ({
    open: 3,
    high: 3,
    low: 3,
    close: 3,
    atMs: at('12:30:00') + minute * 60_000,
  }));
  const { boundaries } = readSession({ candles, minutes }, window, 3, rules);
  expect(boundaries.slice(0, 2).map((boundary) => boundary.candles)).toEqual([minutes, candles.slice(3, 4)]);
});

test('the closing mark is the average of the minute before 17:30', () => {
  expect(readSession({ candles, minutes: [] }, window, 0, rules).closing).toEqual({
    mark: '22 60 s',
    atMs: at('17:30:00'),
    isLate: false,
  });
});

test('a mark that has expired by 17:29:00 is not averaged', () => {
  const four = (candle: StrategyCandle) =>
    [0, 1, 2, 3].map((quarter) => ({ atMs: candle.atMs + quarter * 225_000, price: quarter }));
  expect(readSession({ candles, minutes: [] }, window, 0, { ...rules, ticksOf: four }).closing?.mark).toBe('3 60 s');
});

test('without a fresh price at the close the first fresh minute after it counts, or else the last price', () => {
  const stale: MarketRules = { ...rules, averagePrice: () => null };
  const fresh: MarketRules = {
    ...stale,
    firstFreshMinute: ([tick]) => (tick ? { price: tick.price, fromMs: tick.atMs } : null),
  };
  expect(readSession({ candles, minutes: [] }, window, 0, fresh).closing).toEqual({
    mark: '23',
    atMs: at('17:31:00'),
    isLate: true,
  });
  expect(readSession({ candles, minutes: [] }, window, 0, stale).closing).toEqual({
    mark: '22',
    atMs: at('17:30:00'),
    isLate: true,
  });
  expect(readSession({ candles: [], minutes: [] }, window, 0, stale).closing).toBeNull();
});

test('prices are written as decimals, however small', () => {
  expect([decimalText(1e-7), decimalText(61_204.5), decimalText(0.1)]).toEqual(['0.0000001', '61204.5', '0.1']);
});
