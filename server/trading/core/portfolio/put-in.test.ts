import { expect, test } from 'vitest';
import { putInAt } from './held-line.ts';

const day = (number: number) => new Date(Date.UTC(2026, 2, number));
const movements = [
  { marketAt: day(2), signedMicros: 1_000n },
  { marketAt: day(4), signedMicros: -200n },
  { marketAt: day(4), signedMicros: -100n },
];

test('at each instant it is what came in less what left until then', () => {
  expect(putInAt(movements, [day(1), day(2), day(3), day(4), day(5)])).toEqual([0n, 1_000n, 1_000n, 700n, 700n]);
});

test('without movements it is nothing, and without instants there is nothing to say', () => {
  expect(putInAt([], [day(1)])).toEqual([0n]);
  expect(putInAt(movements, [])).toEqual([]);
});
