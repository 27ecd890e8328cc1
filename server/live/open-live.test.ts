import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { liveCloses, liveHandshakeMs } from '#contract/live/live-rules.ts';
import type { Context } from '#server/context.ts';
import { testConfig } from '#test/worlds/builders.ts';
import { testSocket } from './live-world.test-setup.ts';
import { openLive } from './open-live.ts';

const live = (env: Record<string, string> = {}) => openLive({ config: testConfig(env) } as Context);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a socket that sends nothing for five seconds is closed', () => {
  const socket = testSocket();
  live().connect(socket);
  vi.advanceTimersByTime(liveHandshakeMs - 1);
  expect(socket.closes).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(socket.closes).toEqual([liveCloses.unreadable]);
});

test.each([
  ['invalid JSON', 'handshake'],
  ['bytes', ''],
  ['the wrong shape', '[]'],
  ['no token', '{"topics":["balance"]}'],
  ['no topics', `{"token":"${'a'.repeat(43)}","topics":[]}`],
  ['an unknown topic', `{"token":"${'a'.repeat(43)}","topics":["everything"]}`],
  ['an unknown field', `{"token":"${'a'.repeat(43)}","topics":["balance"],"member":"2"}`],
  ['a token with a space', `{"token":"${'a '.repeat(20)}","topics":["balance"]}`],
])('a first message with %s closes its socket', (_, text) => {
  const socket = testSocket();
  live().connect(socket).receive(text);
  expect(socket.closes).toEqual([liveCloses.unreadable]);
  vi.advanceTimersByTime(liveHandshakeMs);
  expect(socket.closes).toHaveLength(1);
});

test('a process at its maximum of sockets closes the next one, until one has left', () => {
  const { connect, countSockets } = live({ LIVE_SOCKETS: '2' });
  const sockets = [testSocket(), testSocket(), testSocket(), testSocket()] as const;
  const first = connect(sockets[0]);
  connect(sockets[1]);
  connect(sockets[2]).disconnect();
  expect(sockets.map(({ closes }) => closes)).toEqual([[], [], [liveCloses.full], []]);
  expect(countSockets()).toBe(2);
  first.disconnect();
  first.disconnect();
  expect(countSockets()).toBe(1);
  connect(sockets[3]);
  expect(sockets[3].closes).toEqual([]);
});
