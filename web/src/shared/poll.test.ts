import { expect, test } from 'vitest';
import { pollEvery } from './poll.ts';

test.each([
  ['an answer', 'success', 0, 2_000],
  ['a first question', 'pending', 0, 2_000],
  ['a refusal', 'error', 1, 15_000],
  ['silence after an answer', 'success', 1, 15_000],
])('after %s', (_, status, fetchFailureCount, expected) => {
  expect(pollEvery(2_000)({ state: { status, fetchFailureCount } })).toBe(expected);
});

test('what is asked rarely is not asked more often when it fails', () => {
  expect(pollEvery(60_000)({ state: { status: 'error', fetchFailureCount: 1 } })).toBe(60_000);
});
