import { expect, test } from 'vitest';
import { candleSources, storedSteps } from './intervals.ts';

const at = (time: string) => Date.parse(`2026-03-04T${time}Z`);

test.each([
  [60, [86_400, 900, 60]],
  [300, [86_400, 900, 300]],
  [900, [86_400, 900]],
  [3600, [86_400, 3600]],
  [86_400, [86_400]],
])('a feed of %i s is stored in steps %j', (feedStep, steps) => {
  expect(storedSteps(feedStep)).toEqual(steps);
});

test('an hour is read from quarters of an hour, and what is not complete from minutes', () => {
  const stretch = { fromMs: at('10:00:00'), toMs: at('13:00:00'), nowMs: at('12:34:00'), feedStepSeconds: 60 };
  expect(candleSources(3600, stretch)).toEqual([
    { stepSeconds: 900, fromMs: at('10:00:00'), toMs: at('12:30:00') },
    { stepSeconds: 60, fromMs: at('12:30:00'), toMs: at('13:00:00') },
  ]);
});

test('what is long over is read from one step alone', () => {
  const stretch = { fromMs: at('01:00:00'), toMs: at('02:00:00'), nowMs: at('12:34:00'), feedStepSeconds: 60 };
  expect(candleSources(900, stretch)).toEqual([{ stepSeconds: 900, fromMs: at('01:00:00'), toMs: at('02:00:00') }]);
});

test('an interval shorter than the feed has no source', () => {
  const stretch = { fromMs: at('01:00:00'), toMs: at('02:00:00'), nowMs: at('12:34:00'), feedStepSeconds: 900 };
  expect([60, 300].map((interval) => candleSources(interval, stretch))).toEqual([[], []]);
});

test('an empty stretch has no source', () => {
  const stretch = { fromMs: at('02:00:00'), toMs: at('01:00:00'), nowMs: at('12:34:00'), feedStepSeconds: 60 };
  expect(candleSources(900, stretch)).toEqual([]);
});
