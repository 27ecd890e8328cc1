import { expect, test } from 'vitest';
import { longestPause } from './outage.ts';

test('an outage lasts from the last acknowledgement before it to the first one after it, in any order', () => {
  expect(longestPause([1000, 1100, 9400, 1200, 9500], 1150)).toBe(8200);
});

test('a pause that ended before does not count, one that had started does', () => {
  expect(longestPause([0, 5000, 5100, 5300], 5200)).toBe(200);
  expect(longestPause([0, 5000, 5100], 4000)).toBe(5000);
});

test('one that has not ended is an error', () => {
  expect(() => longestPause([1000, 2000], 2500)).toThrow('nothing was acknowledged afterwards');
});
