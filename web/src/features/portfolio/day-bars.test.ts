import { expect, test } from 'vitest';
import { bestAndWorstDay, dayBars } from './day-bars.ts';

const day = (date: string, result: number) => ({ day: date, result, trades: 1 });

test('gains rise and losses fall from one line, on one scale', () => {
  const { bars, zero } = dayBars([day('2026-03-01', 10), day('2026-03-02', -5), day('2026-03-03', 0)]);
  expect(zero).toBeCloseTo(66.667, 2);
  expect(bars[0]).toMatchObject({ top: 0, height: expect.closeTo(66.667, 2) });
  expect(bars[1]).toMatchObject({ top: expect.closeTo(66.667, 2), height: expect.closeTo(33.333, 2) });
  expect(bars[2]).toMatchObject({ height: 0 });
});

test('equal results of both signs have equal bars', () => {
  const { bars } = dayBars([day('2026-03-01', 7), day('2026-03-02', -7)]);
  expect(bars[0]?.height).toBe(bars[1]?.height);
});

test('a tiny result stays visible', () => {
  const { bars } = dayBars([day('2026-03-01', 1000), day('2026-03-02', -0.01)]);
  expect(bars[1]?.height).toBe(1);
});

test('only losses hang from the upper edge, nothing at all has its line in the middle', () => {
  expect(dayBars([day('2026-03-01', -3)]).zero).toBe(0);
  expect(dayBars([]).zero).toBe(50);
});

test('best and worst are days, and there is none without days', () => {
  const days = [day('2026-03-01', -2), day('2026-03-02', 4), day('2026-03-03', -9)];
  expect(bestAndWorstDay(days)).toEqual({ best: days[1], worst: days[2] });
  expect(bestAndWorstDay([])).toBeNull();
});
