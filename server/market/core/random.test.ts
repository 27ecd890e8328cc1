import { expect, test } from 'vitest';
import { createRandom } from './random.ts';

const draw = (count: number, next: () => number) => Array.from({ length: count }, next);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test('a key always gives the same stream', () => {
  const random = createRandom('tradewind');
  expect(draw(3, random.uniform)).toEqual([0.6067410366376862, 0.42240713990759104, 0.5889964037341997]);
  expect(draw(2, random.normal)).toEqual([-1.1334151985282352, -0.8725137307404572]);
});

test('keys that differ in one character give unrelated streams', () => {
  const [first, second] = ['day/20516', 'day/20517'].map((key) => draw(5000, createRandom(key).normal)) as [
    number[],
    number[],
  ];
  const product = mean(first.map((value, index) => value * (second[index] as number)));
  expect(Math.abs(product)).toBeLessThan(0.05);
});

test('uniform numbers fill (0, 1) evenly and never touch its ends', () => {
  const values = draw(100_000, createRandom('even').uniform);
  expect(Math.min(...values.slice(0, 50_000))).toBeGreaterThan(0);
  expect(Math.max(...values.slice(0, 50_000))).toBeLessThan(1);
  const tenths = Array.from(
    { length: 10 },
    (_, tenth) => values.filter((value) => Math.floor(value * 10) === tenth).length,
  );
  for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(400);
});

test('normal numbers have mean 0, standard deviation 1 and kurtosis 3', () => {
  const values = draw(100_000, createRandom('normal').normal);
  expect(mean(values)).toBeCloseTo(0, 1);
  expect(mean(values.map((value) => value ** 2))).toBeCloseTo(1, 1);
  expect(mean(values.map((value) => value ** 4))).toBeCloseTo(3, 0);
});
