import { expect, test } from 'vitest';
import { changePercent } from '../assets/list-assets.ts';

test.each([
  ['120', '121.5', 1.25],
  ['100', '99', -1],
  ['3', '4', 33.3333],
  ['0.19418', '0.19418', 0],
])('from %s to %s is %d percent', (before, now, percent) => {
  expect(changePercent(before, now)).toBe(percent);
});

test('an unknown price at either end makes the change unknown', () => {
  expect([changePercent(null, '1'), changePercent('1', null)]).toEqual([null, null]);
});
