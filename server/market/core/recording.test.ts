import { expect, test } from 'vitest';
import { readRecording } from './recording.ts';

const heading = 'time_utc_seconds,open,high,low,close,volume';
const good = ['1750107600,100,104,99,103,2', '1750107660,103,105,101,102,0', '1750107720,102,102,102,102,1.5'];
const [first, second, third] = good as [string, string, string];
const read = (...rows: string[]) => readRecording([heading, ...rows].join('\n'));

test('coin amounts become dollars at the close, and the step is detected', () => {
  expect(read(...good)).toEqual({
    stepSeconds: 60,
    fromMs: 1_750_107_600_000,
    toMs: 1_750_107_780_000,
    candles: [
      { atMs: 1_750_107_600_000, open: 100, high: 104, low: 99, close: 103, volume: 206 },
      { atMs: 1_750_107_660_000, open: 103, high: 105, low: 101, close: 102, volume: 0 },
      { atMs: 1_750_107_720_000, open: 102, high: 102, low: 102, close: 102, volume: 153 },
    ],
  });
});

test('dollar amounts stay unchanged', () => {
  const recording = readRecording([heading.replace('volume', 'quote_volume'), ...good].join('\n'));
  expect('candles' in recording && recording.candles.map((candle) => candle.volume)).toEqual([2, 0, 1.5]);
});

test('both kinds of line endings and a trailing empty line are read alike', () => {
  expect(readRecording(`${[heading, ...good].join('\r\n')}\r\n`)).toEqual(read(...good));
});

test('any step is detected: quarters of an hour, five seconds', () => {
  expect(read('1753315200,1,1,1,1,1', '1753316100,1,1,1,1,1')).toMatchObject({ stepSeconds: 900 });
  expect(read('1753315200,1,1,1,1,1', '1753315205,1,1,1,1,1')).toMatchObject({ stepSeconds: 5 });
});

test('a line with four empty prices is an intended gap', () => {
  const recording = read(first, '1750107660,,,,,0', third);
  expect('candles' in recording && recording.candles.map((candle) => candle.open)).toEqual([100, 102]);
  expect(recording).toMatchObject({ fromMs: 1_750_107_600_000, toMs: 1_750_107_780_000 });
});

test.each([
  ['an unknown heading', 'line 1: expected', () => readRecording(['time,price', ...good].join('\n'))],
  ['one candle alone', 'line 2: a recording has at least two', () => read(first)],
  ['a non-numeric time', 'line 3: the time is not a whole', () => read(first, 'soon,1,1,1,1,1')],
  ['times out of order', 'line 3: the time is not later', () => read(second, first)],
  ['a repeated time', 'line 3: the time is not later', () => read(first, first)],
  ['a gap', 'line 4: a gap of 120 seconds between candles of 60', () => read(first, second, '1750107780,1,1,1,1,1')],
  ['a gap at the beginning', 'line 3: a gap of 120 seconds', () => read('1750107480,1,1,1,1,1', first, second)],
  [
    'a step that does not divide a day',
    'line 3: candles of 7 seconds',
    () => read('1750107600,1,1,1,1,1', '1750107607,1,1,1,1,1'),
  ],
  [
    'times off the boundaries',
    'line 2: the time is no boundary',
    () => read('1750107601,1,1,1,1,1', '1750107661,1,1,1,1,1'),
  ],
  ['too few values', 'line 2: expected 6 values', () => read('1750107600,1,1,1,1', second)],
  ['a non-numeric price', 'line 2: a price is not a decimal', () => read('1750107600,1,x,1,1,1', second)],
  ['a negative price', 'line 2: a price is not a decimal', () => read('1750107600,1,1,-1,1,1', second)],
  ['a missing price', 'line 2: a price is not a decimal', () => read('1750107600,1,,1,1,1', second)],
  [
    'a price with more digits than a number holds',
    'line 2: a price is not a decimal',
    () => read('1750107600,1,1,0.1234567890123456,1,1', second),
  ],
  ['a price of zero', 'line 2: a price is not positive', () => read('1750107600,1,1,0,1,1', second)],
  ['a low above the close', 'line 2: low and high do not enclose', () => read('1750107600,100,104,101,100,1', second)],
  ['a high below the open', 'line 2: low and high do not enclose', () => read('1750107600,100,99,98,99,1', second)],
  ['a negative volume', 'line 2: the volume is not', () => read('1750107600,1,1,1,1,-1', second)],
  ['no volume', 'line 2: the volume is not', () => read('1750107600,1,1,1,1,', second)],
  ['a blank volume', 'line 2: the volume is not', () => read('1750107600,1,1,1,1, ', second)],
  ['a volume without end in dollars', 'line 2: the volume is not', () => read('1750107600,9,9,9,9,1e308', second)],
])('%s is refused, with its line', (_, problem, act) => {
  expect(act()).toEqual({ problem: expect.stringContaining(problem) });
});
