import { expect, test } from 'vitest';
import { hasOnlyOwnParameters, reasonCodes, reasonWords, strategyParams } from './strategy.ts';

const average = { price: 61_204.5, mean: 61_530.1, period: 20 };
const dip = { price: 90, mean: 98, period: 20, atr: 3.8, atr_multiple: 2, dip_at: 90.4 };

test.each([
  ['not_above_average', average, 'No entry: price 61,204.50 is under its 20-period average 61,530.10.'],
  [
    'not_above_average',
    { ...average, mean: 61_204.5 },
    'No entry: price 61,204.50 is at its 20-period average 61,204.50.',
  ],
  ['above_average', { ...average, price: 62_000 }, 'Bought: price 62,000.00 is above its 20-period average 61,530.10.'],
  [
    'no_dip',
    { ...dip, price: 95.5 },
    'No entry: price 95.5000 is above the lower band 90.4000 (its 20-period average 98.0000 less 2 × the average true range 3.8000).',
  ],
  ['fell_to_average', average, 'Sold: price 61,204.50 is under its 20-period average 61,530.10.'],
  [
    'back_at_average',
    { price: 0.162812, mean: 0.1628, period: 10 },
    'Sold: price 0.162812 is back at its 10-period average 0.162800.',
  ],
  ['too_late', { minutes_left: 15 }, 'No entry: only 15 minutes are left before the session closes.'],
  ['no_prices', { found: 3, needed: 21 }, 'No decision: 3 of the 21 candles needed are there without a gap.'],
  ['under_minimum', { minimum: 5 }, 'No entry: the amount is under the minimum of 5$.'],
  ['stopped_today', {}, 'No entry: a stop was reached in this session, so the strategy rests until the next one.'],
] as const)('%s %j reads: %s', (code, facts, words) => {
  expect(reasonWords(code, facts)).toBe(words);
});

test('every reason is one distinct sentence, and a missing fact is a dash', () => {
  const sentences = reasonCodes.map((code) => reasonWords(code, {}));
  expect(new Set(sentences).size).toBe(reasonCodes.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^(Bought|Sold|Held|No entry|No decision): .+\.$/);
  expect(reasonWords('above_average', {})).toBe('Bought: price – is above its –-period average –.');
});

test('parameters belong to their strategy', () => {
  expect(hasOnlyOwnParameters('session_hold', {})).toBe(true);
  expect(hasOnlyOwnParameters('session_hold', { period: 20 })).toBe(false);
  expect(hasOnlyOwnParameters('momentum', { period: 20, atr_multiple: undefined })).toBe(true);
  expect(hasOnlyOwnParameters('momentum', { atr_multiple: 2 })).toBe(false);
  expect(hasOnlyOwnParameters('mean_reversion', { period: 20, atr_multiple: 2 })).toBe(true);
});

test.each([
  { period: 4 },
  { period: 101 },
  { period: 20.5 },
  { atr_multiple: 0.4 },
  { atr_multiple: 1.2 },
  { other: 1 },
])('out-of-range parameters are refused: %j', (params) => {
  expect(strategyParams.safeParse(params).success).toBe(false);
});
