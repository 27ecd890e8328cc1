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

const quarters = (from: string, to: string) => ({ stepSeconds: 900, fromMs: at(from), toMs: at(to) });

test.each([
  [
    'an hour is read from quarters of an hour, and the incomplete rest from minutes',
    [3600, '10:00:00', '13:00:00', 60],
    [quarters('10:00:00', '12:30:00'), { ...quarters('12:30:00', '13:00:00'), stepSeconds: 60 }],
  ],
  [
    'a period long past is read from one step alone',
    [900, '01:00:00', '02:00:00', 60],
    [quarters('01:00:00', '02:00:00')],
  ],
  ['an interval shorter than the feed has no source', [300, '01:00:00', '02:00:00', 900], []],
  ['an empty range has no source', [900, '02:00:00', '01:00:00', 60], []],
] as const)('%s', (_, [interval, from, to, feedStepSeconds], sources) => {
  const stretch = { fromMs: at(from), toMs: at(to), nowMs: at('12:34:00'), feedStepSeconds };
  expect(candleSources(interval, stretch)).toEqual(sources);
});
