import { expect, test } from 'vitest';
import { symbols } from '#contract/rules.ts';
import { type Made, madeLines, madeMinutes, madeQuarters } from './made-recordings.ts';

type Line = { open: number | null; high: number; low: number; close: number; traded: number };

const linesOf = (symbol: string, made: Made): Line[] =>
  madeLines(symbol, made).map((text) => {
    const [, open, high, low, close, traded] = text.split(',') as [string, string, string, string, string, string];
    const [highest, lowest, last] = [Number(high), Number(low), Number(close)];
    return { open: open === '' ? null : Number(open), high: highest, low: lowest, close: last, traded: Number(traded) };
  });

const isHole = ({ open }: Line) => open === null;

test.each([
  { what: 'minutes', made: madeMinutes },
  { what: 'quarters of an hour', made: madeQuarters },
])(
  'generated $what have a fall of 34 % in every coin, holes, an hour without prices a day, and candles without trades',
  ({ made }) => {
    const perHour = 3600 / made.stepSeconds;
    let hoursWithout = 0;
    for (const symbol of symbols) {
      const lines = linesOf(symbol, made);
      expect(lines).toHaveLength((made.days * 86_400) / made.stepSeconds);
      const prices = lines.filter((line) => !isHole(line)) as (Line & { open: number })[];
      expect(
        prices.filter(({ open, low, high, close }) => low > Math.min(open, close) || high < Math.max(open, close)),
      ).toEqual([]);
      expect(prices.filter(({ traded }) => traded === 0).length).toBeGreaterThan(100);
      expect(prices.filter(({ open, low }) => low < open * 0.66001)).toHaveLength(Math.ceil((made.days - 2) / 30));
      const runs = lines
        .map(isHole)
        .join()
        .matchAll(/(true,?)+/g)
        .map(([run]) => run.split('true').length - 1)
        .toArray();
      expect(runs.filter((length) => length < perHour).length).toBeGreaterThan(10);
      hoursWithout += runs.filter((length) => length >= perHour).length;
    }
    expect(hoursWithout).toBe(made.days);
  },
);

test('a coin has the same lines every time, and different ones from another coin', () => {
  expect(madeLines('btc', madeMinutes)).toEqual(madeLines('btc', madeMinutes));
  expect(madeLines('btc', madeMinutes)[0]).not.toBe(madeLines('eth', madeMinutes)[0]);
});
