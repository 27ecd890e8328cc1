import { expect, test } from 'vitest';
import { formatAge } from './age.ts';

const MINUTE = 60_000;

test.each([
  [-1, '< 1 min'],
  [59_999, '< 1 min'],
  [53 * MINUTE, '53 min'],
  [60 * MINUTE, '1 h 0 min'],
  [134 * MINUTE, '2 h 14 min'],
  [47 * 60 * MINUTE + 59 * MINUTE, '47 h 59 min'],
  [48 * 60 * MINUTE, '2 d 0 h'],
  [76.5 * 60 * MINUTE, '3 d 4 h'],
])('%d ms is %s', (ms, words) => {
  expect(formatAge(ms)).toBe(words);
});
