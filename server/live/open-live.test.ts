import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { liveCloses, liveHandshakeMs } from '#contract/live/live-rules.ts';
import type { Context } from '#server/context.ts';
import { testConfig } from '#test/builders.ts';
import { testLine } from './live-world.test-setup.ts';
import { openLive } from './open-live.ts';

const live = (env: Record<string, string> = {}) => openLive({ config: testConfig(env) } as Context);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a socket that says nothing for five seconds is closed', () => {
  const line = testLine();
  live().meet(line);
  vi.advanceTimersByTime(liveHandshakeMs - 1);
  expect(line.closes).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(line.closes).toEqual([liveCloses.unreadable]);
});

test.each([
  ['no JSON', 'handshake'],
  ['bytes', ''],
  ['another form', '[]'],
  ['no token', '{"topics":["balance"]}'],
  ['no topics', `{"token":"${'a'.repeat(43)}","topics":[]}`],
  ['a topic that is none', `{"token":"${'a'.repeat(43)}","topics":["everything"]}`],
  ['a field that is not known', `{"token":"${'a'.repeat(43)}","topics":["balance"],"member":"2"}`],
  ['a token with a space', `{"token":"${'a '.repeat(20)}","topics":["balance"]}`],
])('a first message of %s closes its socket', (_, text) => {
  const line = testLine();
  live().meet(line).hear(text);
  expect(line.closes).toEqual([liveCloses.unreadable]);
  vi.advanceTimersByTime(liveHandshakeMs);
  expect(line.closes).toHaveLength(1);
});

test('a process that has as many sockets as it may closes the next one, until one of them has left', () => {
  const { meet, countSockets } = live({ LIVE_SOCKETS: '2' });
  const lines = [testLine(), testLine(), testLine(), testLine()] as const;
  const first = meet(lines[0]);
  meet(lines[1]);
  meet(lines[2]).leave();
  expect(lines.map(({ closes }) => closes)).toEqual([[], [], [liveCloses.full], []]);
  expect(countSockets()).toBe(2);
  first.leave();
  first.leave();
  expect(countSockets()).toBe(1);
  meet(lines[3]);
  expect(lines[3].closes).toEqual([]);
});
