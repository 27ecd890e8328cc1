import { expect, test } from 'vitest';
import { candleMarks, earliestNeeded } from './candle-marks.ts';

const at = (time: string) => new Date(`2026-03-04T${time}Z`);
const tick = (time: string, price = '100', symbol = 'btc') => ({ symbol, price, at: at(time) });
const quarters = { kind: 'candles', stepMs: 900_000 } as const;

test('a tick has a stage in its candle, and a second extreme knows the first', () => {
  const ticks = [tick('12:30:00'), tick('12:33:45', '90'), tick('12:37:30', '110'), tick('12:41:15'), tick('12:45:00')];
  const marks = candleMarks(ticks, quarters);
  expect(marks.map(({ stage }) => stage)).toEqual(['open', 'first', 'second', 'close', 'open']);
  expect(marks.map(({ candleAt }) => candleAt)).toEqual([...Array(4).fill(at('12:30:00')), at('12:45:00')]);
  expect(marks.map(({ first }) => first?.price)).toEqual([undefined, undefined, '90', undefined, undefined]);
  expect(marks.every(({ passed }) => passed === undefined)).toBe(true);
});

test('a first extreme without a second goes to the next tick of its asset, and is paired with no other', () => {
  const ticks = [tick('12:33:45', '90'), tick('12:37:30', '50', 'eth'), tick('12:45:00')];
  expect(candleMarks(ticks, quarters).map(({ passed }) => passed?.price)).toEqual([undefined, undefined, '90']);
  const apart = candleMarks([tick('12:33:45', '90'), tick('12:52:30', '95')], quarters);
  expect(apart.map(({ first, passed }) => [first?.price, passed?.price])).toEqual([
    [undefined, undefined],
    [undefined, '90'],
  ]);
});

test('each quote opens a candle of its own', () => {
  expect(candleMarks([tick('12:33:45')], { kind: 'quotes' })).toMatchObject([
    { stage: 'open', candleAt: at('12:33:45'), first: undefined },
  ]);
});

test('the last two candles are read again, but none from before the session', () => {
  const opensAt = at('12:30:00');
  expect(earliestNeeded(quarters, opensAt, at('14:03:45'))).toEqual(at('13:33:45'));
  expect(earliestNeeded(quarters, opensAt, at('12:33:45'))).toEqual(new Date(opensAt.getTime() - 1));
  expect(earliestNeeded(quarters, opensAt, at('12:20:00'))).toEqual(at('12:20:00'));
  expect(earliestNeeded({ kind: 'quotes' }, opensAt, at('14:03:45'))).toEqual(at('14:03:45'));
});
