import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { liveCloses, liveHandshakeMs } from '#contract/live/live-rules.ts';
import type { Context } from '#server/context.ts';
import { testConfig } from '#test/builders.ts';
import { testSocket } from './live-world.test-setup.ts';
import { openLive } from './open-live.ts';

const live = (env: Record<string, string> = {}) => openLive({ config: testConfig(env) } as Context);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a socket that says nothing for five seconds is closed', () => {
  const socket = testSocket();
  live().connect(socket);
  vi.advanceTimersByTime(liveHandshakeMs - 1);
  expect(socket.closes).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(socket.closes).toEqual([liveCloses.unreadable]);
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
  const socket = testSocket();
  live().connect(socket).receive(text);
  expect(socket.closes).toEqual([liveCloses.unreadable]);
  vi.advanceTimersByTime(liveHandshakeMs);
  expect(socket.closes).toHaveLength(1);
});

test('a process that has as many sockets as it may closes the next one, until one of them has left', () => {
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
