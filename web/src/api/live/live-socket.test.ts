import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveMessage } from '#contract/live/live.ts';
import { liveCloses, liveTopics } from '#contract/live/live-rules.ts';
import { stubSockets } from '../../../test/live.ts';
import { openLive } from './live-socket.ts';

let sockets: ReturnType<typeof stubSockets>;
let told: string[];
let close: () => void;
const later = (ms: number) => vi.advanceTimersByTime(ms);
const last = () => sockets.at(-1) as (typeof sockets)[number];
const balance = (position: string): LiveMessage => ({
  type: 'balance',
  position,
  data: { primary_wallet: 1, profit_wallet: 2 },
});

function open(): void {
  close = openLive('secret', {
    onReady: (isResumed) => told.push(isResumed ? 'resumed' : 'ready'),
    onMessage: ({ type }) => told.push(type),
    onDisconnected: () => told.push('gone'),
    onSignedOut: () => told.push('signed out'),
  });
  later(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  // Without jitter, delays keep their full length.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  sockets = stubSockets();
  told = [];
  open();
});
afterEach(() => {
  close();
  vi.restoreAllMocks();
});

test('the token is in the first message, not in the address', () => {
  last().open();
  expect(last().url).toMatch(/^ws:\/\/[^?]*\/api\/v1\/live$/);
  expect(last().said).toEqual([{ token: 'secret', topics: liveTopics }]);
});

test('messages are passed on from ready until the connection is lost', () => {
  last().begin();
  last().receive(balance('2'));
  last().end();
  expect(told).toEqual(['ready', 'ready', 'balance', 'gone']);
});

test('a lost connection is reopened and resumes after the last message received', () => {
  last().begin('1');
  last().receive(balance('7:2'));
  last().end();
  later(999);
  expect(sockets).toHaveLength(1);
  later(1);
  last().open();
  expect(last().said[0]).toMatchObject({ since: '7:2' });
  last().receive({ type: 'ready', position: '7:2' });
  expect(told.slice(-2)).toEqual(['resumed', 'ready']);
});

test('a price message has no cursor, so the last cursor stays', () => {
  last().begin('3');
  last().receive({ type: 'prices', data: { market_time: '2026-03-04T14:05:09Z', stale: false, pairs: [] } });
  last().end();
  later(1_000);
  last().open();
  expect(last().said[0]).toMatchObject({ since: '3' });
});

test('reconnect delays grow to 30 seconds, and retries never stop', () => {
  const pauses = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
  for (const [index, pause] of pauses.entries()) {
    last().end();
    later(pause - 1);
    expect(sockets).toHaveLength(index + 1);
    later(1);
    expect(sockets).toHaveLength(index + 2);
  }
});

test('jitter shortens the delays, so that clients do not all reconnect at once', () => {
  vi.mocked(Math.random).mockReturnValue(0.99);
  last().end();
  later(505);
  expect(sockets).toHaveLength(2);
});

test('a stable connection resets the delay; one that breaks at once does not', () => {
  last().end();
  later(1_000);
  last().begin();
  last().end();
  later(1_999);
  expect(sockets).toHaveLength(2);
  later(1);
  last().begin();
  later(30_000);
  last().end();
  later(1_000);
  expect(sockets).toHaveLength(4);
});

test('a socket that is silent for two heartbeats is dead, even before it opened', () => {
  later(45_000 + 1_000);
  expect(sockets).toHaveLength(2);
  last().begin();
  later(30_000);
  last().receive({ type: 'beat', position: '1' });
  later(44_999);
  expect(told.at(-1)).toBe('beat');
  later(1);
  expect(told.at(-1)).toBe('gone');
  expect(last().isClosed).toBe(true);
});

test('messages of an abandoned socket are ignored', () => {
  last().begin();
  const { onmessage } = last();
  later(45_000);
  expect(told.at(-1)).toBe('gone');
  expect(last().onmessage).toBeNull();
  expect(onmessage).not.toBeNull();
});

test('a client that was too slow reconnects at once, but not repeatedly', () => {
  last().begin('1');
  last().end(liveCloses.tooSlow);
  later(0);
  expect(sockets).toHaveLength(2);
  last().begin('2');
  expect(last().said[0]).toMatchObject({ since: '1' });
  last().end(liveCloses.tooSlow);
  later(1_999);
  expect(sockets).toHaveLength(2);
  later(1);
  expect(sockets).toHaveLength(3);
});

test.each([
  ['this member', liveCloses.tooManyOfMember],
  ['anybody', liveCloses.full],
])('with no connection left for %s it tries again a minute later', (_, code) => {
  last().open();
  last().end(code);
  later(59_999);
  expect(sockets).toHaveLength(1);
  later(1);
  expect(sockets).toHaveLength(2);
});

test.each([
  ['a first message it does not read', liveCloses.unreadable],
  ['somebody who may not listen', liveCloses.notAllowed],
])('a server that refuses %s is not tried again', (_, code) => {
  last().open();
  last().end(code);
  later(600_000);
  expect(sockets).toHaveLength(1);
  expect(told).toEqual([]);
});

test('an unknown session is reported once, and not tried again', () => {
  last().begin();
  last().end(liveCloses.signedOut);
  later(600_000);
  expect(told).toEqual(['ready', 'ready', 'gone', 'signed out']);
  expect(sockets).toHaveLength(1);
});

test('a restored network or a tab that becomes visible ends the delay', () => {
  last().end();
  window.dispatchEvent(new Event('online'));
  expect(sockets).toHaveLength(2);
  last().end();
  document.dispatchEvent(new Event('visibilitychange'));
  expect(sockets).toHaveLength(3);
  later(600_000);
  // Only the third socket’s silence ended it; the shortened delays opened no extra one.
  window.dispatchEvent(new Event('online'));
  expect(sockets.filter(({ isClosed }) => !isClosed)).toHaveLength(1);
});

test('a hidden tab does not cut the delay short', () => {
  last().end();
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(sockets).toHaveLength(1);
});

test('once stopped it reports nothing, opens nothing, and is closed', () => {
  last().begin();
  close();
  expect(last().isClosed).toBe(true);
  expect(told.at(-1)).toBe('gone');
  later(600_000);
  window.dispatchEvent(new Event('online'));
  expect(sockets).toHaveLength(1);
});

test('started and stopped at once, as when a component mounts twice, it opens no socket', () => {
  openLive('secret', { onReady() {}, onMessage() {}, onDisconnected() {}, onSignedOut() {} })();
  later(0);
  expect(sockets).toHaveLength(1);
});
