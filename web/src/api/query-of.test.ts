import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { pollEvery, pollUnlessLive, setLive } from './query-of.ts';

const client = new QueryClient();
afterEach(() => {
  setLive(false, client);
  client.clear();
});

test.each([
  ['an answer', 'success', 0, 2_000],
  ['a first request', 'pending', 0, 2_000],
  ['a refusal', 'error', 1, 15_000],
  ['no answer after an earlier one', 'success', 1, 15_000],
])('after %s', (_, status, fetchFailureCount, expected) => {
  expect(pollEvery(2_000)({ state: { status, fetchFailureCount } })).toBe(expected);
});

test('a slow poll is not sped up by a failure', () => {
  expect(pollEvery(60_000)({ state: { status: 'error', fetchFailureCount: 1 } })).toBe(60_000);
});

test('what the live connection covers is polled once a minute while it is up, as usual while it is down', () => {
  const interval = pollUnlessLive(2_000);
  const query = { state: { status: 'success', fetchFailureCount: 0 } };
  expect(interval(query)).toBe(2_000);
  expect(interval({ state: { status: 'error', fetchFailureCount: 1 } })).toBe(15_000);
  setLive(true, client);
  expect(interval(query)).toBe(60_000);
  expect(pollEvery(2_000)(query)).toBe(2_000);
  setLive(false, client);
  expect(interval(query)).toBe(2_000);
});

test('a mounted list switches to the new interval at once, not after its next answer', async () => {
  vi.useFakeTimers();
  let asked = 0;
  const count = () => {
    asked += 1;
    return asked;
  };
  const options = { queryKey: ['a'], queryFn: count, refetchInterval: pollUnlessLive(2_000) };
  const unsubscribe = new QueryObserver(client, options).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(4_000);
  expect(asked).toBe(3);
  setLive(true, client);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(asked).toBe(3);
  await vi.advanceTimersByTimeAsync(30_001);
  expect(asked).toBe(4);
  setLive(false, client);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toBe(5);
  unsubscribe();
});
