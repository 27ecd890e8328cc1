import { expect, test } from 'vitest';
import { isStale } from './candle.ts';
import { judgeTick, noMark } from './price-guard.ts';

const at = Date.parse('2026-03-04T12:30:00Z');
const last = { price: 100, atMs: at, outlier: null };
const next = (price: number, seconds = 15) => ({ price, atMs: at + seconds * 1000 });

test('a plausible price becomes the mark', () => {
  expect(judgeTick(last, next(101))).toEqual({ mark: { price: 101, atMs: at + 15_000, outlier: null }, refusal: null });
});

test('the very first price is accepted', () => {
  expect(judgeTick(noMark, next(0.00001)).refusal).toBeNull();
});

test.each([
  ['zero', 0],
  ['a negative price', -1],
  ['NaN', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
])('%s is refused and the mark stays', (_, price) => {
  expect(judgeTick(last, next(price))).toEqual({ mark: last, refusal: 'not_a_price' });
});

test.each([
  ['at the same instant', 0],
  ['at an earlier instant', -1],
])('a price %s is refused and the mark stays', (_, seconds) => {
  expect(judgeTick(last, next(101, seconds))).toEqual({ mark: last, refusal: 'out_of_order' });
});

test.each([
  ['half up is accepted', 150, null],
  ['more than half up is refused', 150.01, 'absurd'],
  ['half down is accepted', 50, null],
  ['more than half down is refused', 49.99, 'absurd'],
])('%s', (_, price, refusal) => {
  expect(judgeTick(last, next(price)).refusal).toBe(refusal);
});

test('an absurd price is accepted when the next one confirms it; the first one stays refused', () => {
  const outlier = judgeTick(last, next(40)).mark;
  expect(outlier).toEqual({ ...last, outlier: 40 });
  expect(judgeTick(outlier, next(41, 30))).toEqual({
    mark: { price: 41, atMs: at + 30_000, outlier: null },
    refusal: null,
  });
});

test('a return to the old level clears the outlier', () => {
  const outlier = judgeTick(last, next(160)).mark;
  const returned = judgeTick(outlier, next(99, 30));
  expect(returned.refusal).toBeNull();
  expect(judgeTick(returned.mark, next(160, 45)).refusal).toBe('absurd');
});

test('two absurd prices far from each other do not confirm each other', () => {
  const outlier = judgeTick(last, next(400)).mark;
  expect(judgeTick(outlier, next(40, 30))).toEqual({ mark: { ...last, outlier: 40 }, refusal: 'absurd' });
});

test.each([
  ['one-minute candles expire three minutes after the next tick was due', 60, 15 + 180],
  ['quarter-hour candles expire after three quarters of an hour', 900, 225 + 2700],
  ['ten-second candles expire after the minimum, one minute', 10, 2.5 + 60],
])('%s', (_, stepSeconds, seconds) => {
  expect(isStale(at, at + seconds * 1000, stepSeconds)).toBe(false);
  expect(isStale(at, at + seconds * 1000 + 1, stepSeconds)).toBe(true);
});

test('an asset without a mark is stale', () => {
  expect(isStale(null, at, 60)).toBe(true);
});
