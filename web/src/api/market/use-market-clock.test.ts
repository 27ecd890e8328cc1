import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MAX_EXTRAPOLATION_MS, marketTimeAt, remainingMs, useMarketClock } from './use-market-clock.ts';

const reading = { marketAt: 1_000_000, speed: 60, ended: false, receivedAt: 5_000 };

test.each([
  ['at the reading it equals the reading', 5_000, 1_000_000],
  ['one real second later, sixty market seconds have passed', 6_000, 1_060_000],
  ['a local clock that was set back does not turn the market back', 4_000, 1_000_000],
  ['without updates it stops after ten seconds', 5_000 + 60_000, 1_000_000 + MAX_EXTRAPOLATION_MS * 60],
])('%s', (_, now, expected) => {
  expect(marketTimeAt(reading, now)).toBe(expected);
});

test('a replay that ended does not advance', () => {
  expect(marketTimeAt({ ...reading, ended: true }, 9_000)).toBe(1_000_000);
});

const times = { opens_at: '2026-03-04T12:30:00Z', closes_at: '2026-03-04T17:30:00Z' };
const at = (clock: string) => Date.parse(`2026-03-04T${clock}Z`);

test.each([
  ['open', '14:05:09', 12_291_000],
  ['open', '17:30:05', 0],
  ['closed', '12:20:00', 600_000],
  ['settling', '17:31:00', null],
  ['ended', '12:00:00', null],
] as const)('what remains while %s at %s', (state, clock, expected) => {
  expect(remainingMs({ state, ...times }, at(clock))).toBe(expected);
});

test('a clock that goes on during a render is one time for React, which would warn of two', () => {
  let ms = 1_000_000;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    ms += 600;
    return ms;
  });
  onTestFinished(() => clock.mockRestore());
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => createElement(QueryClientProvider, { client }, children);
  expect(renderHook(useMarketClock, { wrapper }).result.current.now).toBeUndefined();
  expect(ms).toBeGreaterThan(1_000_000);
});
