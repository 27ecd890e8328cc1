import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { strategyNames } from '#contract/trading/strategy.ts';
import { makeCandles } from '#test/recorded/made-candles.ts';
import {
  averageTrueRange,
  comparable,
  decideEntry,
  decideExit,
  lookbackCandles,
  meanClose,
  type StrategyCandle,
  settingOf,
} from './strategies.ts';

const STEP = 900_000;
const opensAtMs = Date.parse('2026-03-04T12:30:00Z');
const closesAtMs = Date.parse('2026-03-04T17:30:00Z');
const at = (time: string) => Date.parse(`2026-03-04T${time}Z`);
const moment = (time: string) => ({ atMs: at(time), opensAtMs, closesAtMs });

/** Candles with these closes, the last one closed at `time`; each one’s range is a dollar around its close. */
const closing = (time: string, closes: readonly number[]): StrategyCandle[] =>
  closes.map((close, index) => ({
    atMs: at(time) - (closes.length - index) * STEP,
    open: close,
    high: close + 1,
    low: close - 1,
    close,
  }));

describe('session hold', () => {
  const hold = settingOf('session_hold');

  test('buys at the opening and at no other boundary, without looking at prices', () => {
    expect(lookbackCandles(hold)).toBe(0);
    expect(decideEntry(hold, [], moment('12:30:00'))).toEqual({ action: 'enter', reason: 'session_opens', facts: {} });
    expect(decideEntry(hold, [], moment('12:45:00'))).toEqual({ action: 'wait', reason: 'after_opening', facts: {} });
  });

  test('never sells', () => {
    for (let atMs = opensAtMs; atMs < closesAtMs; atMs += STEP)
      expect(decideExit(hold, [], { atMs, opensAtMs, closesAtMs })).toMatchObject({
        action: 'wait',
        reason: 'holds_to_close',
      });
  });
});

describe('momentum', () => {
  const momentum = settingOf('momentum', { period: 5 });

  test.each([
    [[100, 101, 102, 103, 109], 'enter', 'above_average', 103],
    [[100, 101, 102, 103, 94], 'wait', 'not_above_average', 100],
    [[100, 101, 102, 97, 100], 'wait', 'not_above_average', 100],
    [[1, 100, 101, 102, 103, 109], 'enter', 'above_average', 103],
  ] as const)('closes %j: %s, %s, mean %d', (closes, action, reason, mean) => {
    const facts = { price: closes.at(-1), mean, period: 5 };
    expect(decideEntry(momentum, closing('13:00:00', closes), moment('13:00:00'))).toEqual({ action, reason, facts });
  });

  test('sells as soon as the close is no longer above the average', () => {
    const exit = (closes: number[]) => decideExit(momentum, closing('13:00:00', closes), moment('13:00:00'));
    expect(exit([100, 101, 102, 103, 109])).toMatchObject({ action: 'wait', reason: 'still_above_average' });
    expect(exit([100, 101, 102, 97, 100])).toMatchObject({ action: 'exit', reason: 'fell_to_average' });
    expect(exit([100, 101, 102, 103, 94])).toMatchObject({ action: 'exit', reason: 'fell_to_average' });
  });
});

describe('mean reversion', () => {
  const reversion = settingOf('mean_reversion', { period: 5, atr_multiple: 2 });
  const entry = (closes: number[]) => decideEntry(reversion, closing('13:00:00', closes), moment('13:00:00'));

  // Ranges of 2 four times, then from the close 100 to the low of the last candle: 100 − 89 = 11; ATR 19 ÷ 5 = 3.8.
  test('buys at the mean minus two average true ranges', () => {
    expect(entry([100, 100, 100, 100, 100, 90])).toEqual({
      action: 'enter',
      reason: 'dip',
      facts: { price: 90, mean: 98, period: 5, atr: 3.8, atr_multiple: 2, dip_at: 90.4 },
    });
  });

  test('does not buy a smaller fall, and states the price where a dip begins', () => {
    // Ranges 2, 2, 2, 2 and 100 − 95 = 5: ATR 2.6, mean 99.2, a dip begins at 94.
    expect(entry([100, 100, 100, 100, 100, 96])).toEqual({
      action: 'wait',
      reason: 'no_dip',
      facts: { price: 96, mean: 99.2, period: 5, atr: 2.6, atr_multiple: 2, dip_at: 94 },
    });
  });

  test('counts a price exactly at the line as a dip, and one a cent above as none', () => {
    const once = settingOf('mean_reversion', { period: 5, atr_multiple: 0.5 });
    // Ranges 2, 2, 2, 2 and 100 − 92 = 8: ATR 3.2; the mean with 98 is 99.6, less half of 3.2 is 98.
    const ending = (close: number) => [
      ...closing('12:45:00', [100, 100, 100, 100, 100]),
      { atMs: at('12:45:00'), open: 100, high: 100, low: 92, close },
    ];
    expect(decideEntry(once, ending(98), moment('13:00:00'))).toMatchObject({
      action: 'enter',
      facts: { mean: 99.6, atr: 3.2, dip_at: 98 },
    });
    expect(decideEntry(once, ending(98.01), moment('13:00:00'))).toMatchObject({
      reason: 'no_dip',
      facts: { dip_at: 98.002 },
    });
  });

  test('sees no dip in a constant price, though it equals mean − 2 × 0', () => {
    const still = closing('13:00:00', [0.1, 0.1, 0.1, 0.1, 0.1, 0.1]).map((candle) => ({
      ...candle,
      high: 0.1,
      low: 0.1,
    }));
    expect(decideEntry(reversion, still, moment('13:00:00'))).toMatchObject({ action: 'wait', reason: 'no_dip' });
  });

  test.each([
    [[100, 100, 100, 100, 100, 90], 'wait', 'under_average'],
    [[100, 100, 100, 100, 90, 97.6], 'exit', 'back_at_average'],
    [[100, 100, 100, 100, 90, 97.4], 'wait', 'under_average'],
    [[100, 100, 100, 100, 90, 99], 'exit', 'back_at_average'],
  ] as const)('with closes %j decides for an open position: %s, %s', (closes, action, reason) => {
    expect(decideExit(reversion, closing('13:00:00', closes), moment('13:00:00'))).toMatchObject({ action, reason });
  });
});

describe('every strategy', () => {
  const looking = [settingOf('momentum', { period: 5 }), settingOf('mean_reversion', { period: 5 })];

  test('buys nothing at 17:15, when only the close could sell it', () => {
    for (const strategy of strategyNames) {
      const candles = closing(
        '17:15:00',
        Array.from({ length: 30 }, (_, index) => 100 + index),
      );
      expect(decideEntry(settingOf(strategy), candles, moment('17:15:00'))).toEqual({
        action: 'wait',
        reason: 'too_late',
        facts: { minutes_left: 15 },
      });
    }
    const rising = closing('17:00:00', [100, 101, 102, 103, 109]);
    expect(decideEntry(settingOf('momentum', { period: 5 }), rising, moment('17:00:00')).action).toBe('enter');
  });

  test.each([
    ['none', [], 0],
    ['too few', closing('13:00:00', [1, 2, 3]), 3],
    ['the last one closed a quarter of an hour ago', closing('12:45:00', [1, 2, 3, 4, 5, 6]), 0],
    ['one missing', closing('13:00:00', [1, 2, 3, 4, 5, 6]).filter((_, index) => index !== 3), 2],
  ] as const)('without the candles it needs (%s) it neither buys nor sells', (_, candles, found) => {
    for (const setting of looking) {
      const facts = { found, needed: lookbackCandles(setting) };
      const expected = { action: 'wait', reason: 'no_prices', facts };
      expect(decideEntry(setting, candles, moment('13:00:00'))).toEqual(expected);
      expect(decideExit(setting, candles, moment('13:00:00'))).toEqual(expected);
    }
  });

  test('throws at an instant that is no boundary of the session', () => {
    const ask = (time: string) => () => decideEntry(settingOf('session_hold'), [], moment(time));
    for (const time of ['12:15:00', '17:30:00', '12:31:00']) expect(ask(time)).toThrow('strategies decide');
  });
});

describe('settings', () => {
  test('get defaults, in one order', () => {
    expect(settingOf('session_hold')).toEqual({ strategy: 'session_hold', params: {} });
    expect(settingOf('momentum')).toEqual({ strategy: 'momentum', params: { period: 20 } });
    const written = JSON.stringify(settingOf('mean_reversion', { atr_multiple: 1.5 }));
    expect(written).toBe('{"strategy":"mean_reversion","params":{"period":20,"atr_multiple":1.5}}');
  });

  test('of another strategy are an error of the caller', () => {
    expect(() => settingOf('session_hold', { period: 20 })).toThrow('does not have');
    expect(() => settingOf('momentum', { atr_multiple: 2 })).toThrow('does not have');
  });
});

test('only candles closed by the boundary count, and only as many as the strategy needs', () => {
  const arbitrary = fc.record({
    strategy: fc.constantFrom(...strategyNames),
    seed: fc.integer({ min: 0, max: 10_000 }),
    boundary: fc.integer({ min: 0, max: 19 }),
    surplus: fc.integer({ min: 0, max: 40 }),
  });
  fc.assert(
    fc.property(arbitrary, ({ strategy, seed, boundary, surplus }) => {
      const setting = settingOf(strategy);
      const atMs = opensAtMs + boundary * STEP;
      const needed = lookbackCandles(setting);
      const from = new Date(atMs - (needed + surplus) * STEP).toISOString();
      const candles = makeCandles(from, needed + surplus, seed);
      const asked = { atMs, opensAtMs, closesAtMs };
      const scrambled = candles.map((candle, index) =>
        index < surplus ? { ...candle, close: candle.close * 3 } : candle,
      );
      expect(decideEntry(setting, scrambled, asked)).toEqual(decideEntry(setting, candles, asked));
      expect(decideExit(setting, scrambled, asked)).toEqual(decideExit(setting, candles, asked));
      expect(decideEntry(setting, candles, asked).action).not.toBe('exit');
      expect(decideExit(setting, candles, asked).action).not.toBe('enter');
    }),
  );
});

describe('averages', () => {
  const candle = (high: number, low: number, close: number) => ({ atMs: 0, open: close, high, low, close });

  test('the mean is that of the closes', () => {
    expect(meanClose([candle(9, 1, 100), candle(9, 1, 102), candle(9, 1, 104)])).toBe(102);
  });

  test('a true range extends to the previous close, above or below', () => {
    const before = candle(100, 100, 100);
    expect(averageTrueRange([before, candle(104, 101, 103)])).toBe(4);
    expect(averageTrueRange([before, candle(99, 96, 97)])).toBe(4);
    expect(averageTrueRange([before, candle(103, 98, 99)])).toBe(5);
    expect(averageTrueRange([before, candle(104, 101, 103), candle(103, 97, 98)])).toBe(5);
  });

  test('the candle that only provides the previous close has no range of its own', () => {
    expect(averageTrueRange([candle(900, 1, 100), candle(101, 100, 101)])).toBe(1);
  });

  test('a constant price equals its average, despite floating point', () => {
    for (const price of [0.1, 0.0712, 3.3, 61_204.57, 0.00000123]) {
      for (const period of [5, 7, 19, 100]) {
        const candles = Array.from({ length: period }, () => candle(price, price, price));
        expect(comparable(meanClose(candles))).toBe(comparable(price));
      }
    }
    expect(comparable(0.1 + 0.2)).toBe(0.3);
  });
});
