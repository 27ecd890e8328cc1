import { expect, test } from 'vitest';
import { backOffMs, nextHealth, type VenueHealth, type VenueOutcome } from './venue-health.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 4, 12, 0, seconds));
const up: VenueHealth = { state: 'up', since: at(0), reason: null, failures: 0, waitUntil: null };
const failed = (more: Partial<VenueOutcome & { kind: 'failed' }> = {}): VenueOutcome => ({
  kind: 'failed',
  reason: 'timed out',
  isCertain: false,
  retryAfterMs: null,
  ...more,
});

test('two failures leave it up; the third takes it down, with the time of the third', () => {
  const first = nextHealth(up, failed(), at(1));
  const second = nextHealth(first, failed(), at(2));
  const third = nextHealth(second, failed(), at(4));
  expect(first).toEqual({ ...up, failures: 1, waitUntil: at(2) });
  expect(second).toEqual({ ...up, failures: 2, waitUntil: at(4) });
  expect(third).toEqual({ state: 'down', since: at(4), reason: 'timed out', failures: 3, waitUntil: at(8) });
  expect(nextHealth(third, failed({ reason: 'still' }), at(9))).toMatchObject({
    state: 'down',
    since: at(4),
    reason: 'still',
  });
});

test('a definite failure takes it down at once', () => {
  expect(nextHealth(up, failed({ isCertain: true }), at(5))).toMatchObject({
    state: 'down',
    since: at(5),
    failures: 1,
  });
});

test('one answer brings it up and clears the failures', () => {
  const down = nextHealth(up, failed({ isCertain: true }), at(5));
  expect(nextHealth(down, { kind: 'answered' }, at(9))).toEqual({ ...up, since: at(9) });
  expect(nextHealth({ ...up, failures: 2 }, { kind: 'answered' }, at(9))).toEqual(up);
});

test('it is left alone for as long as it asks, but our own pauses last a minute at most', () => {
  expect(nextHealth(up, failed({ retryAfterMs: 90_000 }), at(0)).waitUntil).toEqual(at(90));
  expect(nextHealth({ ...up, failures: 40 }, failed(), at(0)).waitUntil).toEqual(at(60));
});

test.each([
  [1, 5_000],
  [2, 10_000],
  [3, 20_000],
  [7, 300_000],
  [1000, 300_000],
])('after %i rejections an asset is left alone for %i ms', (rejections, ms) => {
  expect(backOffMs(rejections)).toBe(ms);
});
