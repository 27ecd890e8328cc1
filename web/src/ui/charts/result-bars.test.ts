import { expect, test } from 'vitest';
import { resultBars } from './result-bars.tsx';

const of = (...results: (number | null)[]) => results.map((result, index) => ({ key: String(index), result }));

test('gains rise and losses fall from one baseline, on one scale', () => {
  const { bars, zero } = resultBars(of(10, -5, 0));
  expect(zero).toBeCloseTo(66.667, 2);
  expect(bars[0]).toMatchObject({ top: 0, height: expect.closeTo(66.667, 2) });
  expect(bars[1]).toMatchObject({ top: expect.closeTo(66.667, 2), height: expect.closeTo(33.333, 2) });
  expect(bars[2]).toMatchObject({ height: 0 });
});

test('equal results of opposite sign have equal bars', () => {
  const { bars } = resultBars(of(7, -7));
  expect(bars[0]?.height).toBe(bars[1]?.height);
});

test('a tiny result stays visible, and zero has no bar', () => {
  const { bars } = resultBars(of(1000, -0.01, null));
  expect(bars[1]?.height).toBe(1);
  expect(bars[2]).toMatchObject({ result: null, height: 0 });
});

test('losses alone hang from the upper edge, and without results the baseline is in the middle', () => {
  expect(resultBars(of(-3)).zero).toBe(0);
  expect(resultBars(of(null, null)).zero).toBe(50);
  expect(resultBars([]).zero).toBe(50);
});
