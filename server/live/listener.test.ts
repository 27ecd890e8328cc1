import { expect, test } from 'vitest';
import type { LiveMessage } from '#contract/live/live.ts';
import { liveCloses, liveTopics } from '#contract/live/live-rules.ts';
import { frameText } from './frame-text.ts';
import { Listener, maxBufferedBytes, maxWaitingBytes } from './listener.ts';
import { testSocket } from './live-world.test-setup.ts';

const start = new Date('2026-03-04T12:00:00Z');
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const frame = frameText(
  JSON.stringify({ type: 'prices', data: { market_time: start.toISOString(), stale: false, pairs: [] } }),
);
const ticket = (id: number, bytes = 0): LiveMessage => ({
  type: 'ticket',
  position: `1${'a'.repeat(bytes)}`,
  data: { ids: [String(id)] },
});
const heartbeat = { type: 'beat', position: '1' } as const;

function open() {
  const socket = testSocket();
  return {
    socket,
    listener: new Listener(socket, { memberId: 2n, authSessionId: 1n, topics: new Set(liveTopics), now: start }),
  };
}

test('a slow client gets no prices until there is room for the newest', () => {
  const { socket, listener } = open();
  socket.fill(maxBufferedBytes + 1);
  listener.sendPrices(frame);
  expect(socket.sent).toEqual([]);
  socket.fill(maxBufferedBytes);
  listener.sendPrices(frame);
  expect(socket.of('prices')).toHaveLength(1);
});

test('other messages to a slow client are queued and sent in order, before anything newer', () => {
  const { socket, listener } = open();
  socket.fill(maxBufferedBytes + 1);
  listener.send(ticket(1));
  listener.send(ticket(2));
  expect(socket.sent).toEqual([]);
  socket.fill(0);
  listener.send(ticket(3));
  expect(socket.of('ticket').map(({ data }) => data.ids)).toEqual([['1'], ['2'], ['3']]);
});

test('the queue drains by itself when there is room', () => {
  const { socket, listener } = open();
  socket.fill(maxBufferedBytes + 1);
  listener.send(ticket(1));
  listener.flush();
  expect(socket.sent).toEqual([]);
  socket.fill(0);
  listener.flush();
  expect(socket.of('ticket')).toHaveLength(1);
});

test('a client with too long a queue is closed once and sent nothing more', () => {
  const { socket, listener } = open();
  socket.fill(maxBufferedBytes + 1);
  const each = 4096;
  for (let sent = 0; sent <= maxWaitingBytes / each + 1; sent += 1) listener.send(ticket(sent + 1, each));
  expect(socket.closes).toEqual([liveCloses.tooSlow]);
  socket.fill(0);
  listener.send(ticket(1));
  listener.sendPrices(frame);
  listener.flush();
  expect(socket.sent).toEqual([]);
});

test('every twenty seconds a socket is pinged and sent a heartbeat', () => {
  const { socket, listener } = open();
  listener.heartbeat(later(19), heartbeat);
  expect(socket.pings()).toBe(0);
  listener.heartbeat(later(20), heartbeat);
  listener.heartbeat(later(39), heartbeat);
  expect(socket.pings()).toBe(1);
  expect(socket.of('beat')).toHaveLength(1);
});

test('a socket that answers stays open; one that misses two heartbeats is closed at the third', () => {
  const { socket, listener } = open();
  for (const seconds of [20, 40, 60, 80]) {
    listener.heartbeat(later(seconds), heartbeat);
    listener.pong();
  }
  listener.heartbeat(later(100), heartbeat);
  listener.heartbeat(later(120), heartbeat);
  expect(socket.isTerminated()).toBe(false);
  listener.heartbeat(later(140), heartbeat);
  expect(socket.isTerminated()).toBe(true);
});
