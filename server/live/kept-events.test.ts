import { expect, test } from 'vitest';
import { canGoOn } from './position.ts';

const startedAt = new Date('2026-03-04T12:00:00Z');
const readAt = new Date('2026-03-04T13:00:00Z');
const seen = { xmin: 1n, xmax: 1n, running: [] };
const later = (seconds: number) => ({ startedAt, readAt: new Date(readAt.getTime() + seconds * 1000), seen });

test.each([
  ['at once', 0, true],
  ['nine minutes later', 540, true],
  ['more than nine minutes later', 541, false],
  ['before it was', -1, false],
])('%s what happened since is known or not', (_, seconds, isKnown) => {
  expect(canGoOn({ startedAt, readAt }, later(seconds))).toBe(isKnown);
});

test('after a restart of the database server nothing from before is known', () => {
  const restartedAt = new Date('2026-03-04T12:59:59Z');
  expect(canGoOn({ startedAt, readAt }, { ...later(1), startedAt: restartedAt })).toBe(false);
});
