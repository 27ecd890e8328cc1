import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  aggregateCandles,
  averagePrice,
  ceilToStep,
  type FeedCandle,
  firstFreshMinute,
  floorToStep,
  type StoredTick,
  tickPath,
} from './candle.ts';

const noon = Date.parse('2026-03-04T12:00:00Z');
const minute = (index: number, open: number, high: number, low: number, close: number, volume: number): FeedCandle => ({
  atMs: noon + index * 60_000,
  open,
  high,
  low,
  close,
  volume,
});

test('two minutes become first open, highest high, lowest low, last close and total volume', () => {
  expect(aggregateCandles([minute(0, 10, 12, 9, 11, 5), minute(1, 11, 13, 10, 12, 7)], 900)).toEqual([
    { atMs: noon, open: 10, high: 13, low: 9, close: 12, volume: 12 },
  ]);
});

test('a boundary begins the next candle, and a gap produces none', () => {
  const candles = [minute(14, 1, 1, 1, 1, 1), minute(15, 2, 2, 2, 2, 2), minute(45, 3, 3, 3, 3, 3)];
  expect(aggregateCandles(candles, 900).map((candle) => candle.atMs)).toEqual([noon, noon + 900_000, noon + 2_700_000]);
});

test('candles already of the target step come back unchanged', () => {
  const candles = [minute(0, 10, 12, 9, 11, 5.5), minute(1, 11, 13, 10, 12, 7.25)];
  expect(aggregateCandles(candles, 60)).toEqual(candles);
});

test('aggregating in two stages gives the same result as in one', () => {
  const price = fc.integer({ min: 1, max: 1_000_000 }).map((whole) => whole / 100);
  const candle = fc.record({
    price,
    other: price,
    volume: fc.integer({ min: 0, max: 1e9 }).map((whole) => whole / 100),
  });
  fc.assert(
    fc.property(fc.array(candle, { maxLength: 200 }), (drawn) => {
      const candles = drawn.map(({ price, other, volume }, index) =>
        minute(index, price, Math.max(price, other), Math.min(price, other), other, volume),
      );
      expect(aggregateCandles(aggregateCandles(candles, 300), 3600)).toEqual(aggregateCandles(candles, 3600));
    }),
  );
});

test('floor and ceil find the boundaries around an instant, or the instant itself on a boundary', () => {
  expect(floorToStep(noon + 899_999, 900)).toBe(noon);
  expect(ceilToStep(noon + 1, 900)).toBe(noon + 900_000);
  expect([floorToStep(noon, 900), ceilToStep(noon, 900)]).toEqual([noon, noon]);
});

const closing = (close: number) => ({ atMs: noon, open: 100, high: 104, low: 99, close, volume: 1 });

test.each([
  ['a rising candle goes low, then high', 103, [100, 99, 104, 103]],
  ['a falling candle goes high, then low', 99.5, [100, 104, 99, 99.5]],
  ['a flat candle counts as rising', 100, [100, 99, 104, 100]],
])('%s', (_, close, prices) => {
  expect(tickPath(closing(close), 60).map((tick) => tick.price)).toEqual(prices);
});

test('the four prices fall at quarters of the step', () => {
  expect(tickPath(closing(103), 60).map((tick) => tick.atMs - noon)).toEqual([0, 15_000, 30_000, 45_000]);
  expect(tickPath(closing(103), 900).map((tick) => tick.atMs - noon)).toEqual([0, 225_000, 450_000, 675_000]);
});

const at = (time: string) => Date.parse(`2026-03-04T${time}Z`);
/** `29:15 102`: the mark at 17:29:15 is 102. */
const ticksOf = (marks: string) =>
  marks === '' ? [] : marks.split(', ').map((mark) => ({ price: mark.slice(6), atMs: at(`17:${mark.slice(0, 5)}`) }));
const lastMinute = { fromMs: at('17:29:00'), toMs: at('17:30:00'), stepSeconds: 60 };

test.each([
  [
    'each mark counts for as long as it held, including the one at the start',
    '28:45 100, 29:15 102, 29:30 104, 29:45 101',
    '101.75',
  ],
  ['unequal durations weigh unequally', '29:00 100, 29:50 106', '101'],
  ['marks that came at or after the end do not count', '29:00 100, 30:00 200, 30:15 300', '100'],
  ['decimals are exact where floating point is not', '29:00 0.1, 29:20 0.2, 29:40 0.3', '0.2'],
  ['no mark at all: no average', '', null],
  ['no mark in force at the start: no average', '29:15 100', null],
  // The mark of 17:26:14 is valid until 17:29:29 (15 s until the next was due, plus 180 s).
  ['a mark that expires inside: no average', '26:14 100', null],
  ['a mark followed in time by another', '26:14 100, 29:29 102', expect.any(String)],
  ['a mark followed too late by another: no average', '26:14 100, 29:30 102', null],
])('%s', (_, marks, average) => {
  expect(averagePrice(ticksOf(marks), lastMinute)).toEqual(average);
});

test('a mark that arrived late counts from then, and holds from its own time', () => {
  const [first, second] = ticksOf('28:45 100, 29:45 104') as [StoredTick, StoredTick];
  const late = (quoted: string) => [first, { ...second, quotedAtMs: at(`17:${quoted}`) }];
  // Valid until 17:30:00, and until a second earlier.
  expect(averagePrice(late('26:45'), lastMinute)).toBe('101');
  expect(averagePrice(late('26:44'), lastMinute)).toBeNull();
});

test('an average lies between the lowest and the highest mark', () => {
  const marks = fc.array(fc.tuple(fc.integer({ min: 0, max: 59_999 }), fc.integer({ min: 1, max: 1e9 })), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(marks, fc.integer({ min: 1, max: 1e9 }), (drawn, first) => {
      const later = drawn.map(([ms, price]) => ({ atMs: lastMinute.fromMs + ms, price: `${price / 1000}` }));
      const ticks = [{ atMs: lastMinute.fromMs, price: `${first / 1000}` }, ...later.sort((a, b) => a.atMs - b.atMs)];
      const prices = ticks.map(({ price }) => Number(price));
      const average = Number(averagePrice(ticks, lastMinute));
      expect(average).toBeGreaterThanOrEqual(Math.min(...prices) - 1e-9);
      expect(average).toBeLessThanOrEqual(Math.max(...prices) + 1e-9);
    }),
  );
});

const late = { afterMs: at('17:30:00'), nowMs: at('18:00:00'), stepSeconds: 60 };

test.each([
  ['the first full minute after prices returned', '26:14 100, 41:15 99, 42:30 98, 43:00 50', {}, '98.5', '17:42:00'],
  ['one that starts with a tick on the minute', '41:00 99, 41:30 98', {}, '98.5', '17:41:00'],
  ['returned once it has passed', '41:00 99', { nowMs: at('17:42:00') }, '99', '17:41:00'],
  // Candles of one second: a mark is valid for 60.25 s, not until the end of the full minute after 17:41:15.
  [
    'the next one, when prices stop again at once',
    '41:15 99, 50:30 97, 51:20 95',
    { stepSeconds: 1 },
    expect.any(String),
    '17:51:00',
  ],
])('the first fresh minute is %s', (_, marks, more, price, from) => {
  expect(firstFreshMinute(ticksOf(marks), { ...late, ...more })).toEqual({ price, fromMs: at(from) });
});

test('a minute that has not passed is waited for, and ticks at or before the instant do not count', () => {
  expect(firstFreshMinute(ticksOf('41:00 99'), { ...late, nowMs: at('17:41:59') })).toBeNull();
  expect(firstFreshMinute(ticksOf('26:14 100, 30:00 100'), late)).toBeNull();
});
