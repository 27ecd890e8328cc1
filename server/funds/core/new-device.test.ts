import { expect, test } from 'vitest';
import { hasNewDevice } from './withdrawal-rules.ts';

const march = (day: number, hour: number) => new Date(Date.UTC(2026, 2, day, hour));

test.each<[string, Date[], Date, boolean | null]>([
  ['seen 23 hours before', [march(1, 12), march(3, 12)], march(4, 11), true],
  ['seen a day before to the second', [march(1, 12), march(3, 12)], march(4, 12), false],
  ['seen at that moment', [march(4, 12)], march(4, 12), true],
  ['seen only afterwards', [march(4, 13)], march(4, 12), null],
  ['an old one, and another seen afterwards', [march(1, 12), march(4, 13)], march(4, 12), false],
  ['none', [], march(4, 12), null],
])('%s', (_, firstSeen, at, expected) => {
  expect(hasNewDevice(firstSeen, at)).toBe(expected);
});
