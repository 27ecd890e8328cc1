import { describe, expect, test } from 'vitest';
import { linePath, niceScale, yOf } from './chart-scale.ts';

describe('niceScale', () => {
  test.each([
    [[9012, 9800], 4, [9000, 9200, 9400, 9600, 9800]],
    [[0, 10], 4, [0, 2.5, 5, 7.5, 10]],
    [[-13, 7], 4, [-15, -10, -5, 0, 5, 10]],
    [[0.1, 0.4], 3, [0.1, 0.2, 0.3, 0.4]],
  ])('%j has its lines at round numbers', (values, lines, ticks) => {
    expect(niceScale(values, lines).ticks).toEqual(ticks);
  });

  test('a flat line has room above or below', () => {
    const scale = niceScale([1000, 1000], 4);
    expect(scale.max).toBeGreaterThan(scale.min);
    expect(scale.min).toBeLessThanOrEqual(1000);
    expect(scale.max).toBeGreaterThanOrEqual(1000);
  });

  test('zero alone can be drawn', () => {
    expect(niceScale([0, 0], 4)).toMatchObject({ min: 0 });
  });
});

test('a line goes through its corners, and a value has its place in the picture', () => {
  const scale = { min: 900, max: 1100, ticks: [] };
  expect(yOf(1000, scale)).toBe(50);
  expect(
    linePath([
      [0, yOf(1000, scale)],
      [1000, yOf(1020, scale)],
    ]),
  ).toBe('M0.0 50.0L1000.0 40.0');
});
