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
  // No pause is shortened by jitter.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  sockets = stubSockets();
  told = [];
});
afterEach(() => {
  close();
  vi.restoreAllMocks();
});

test('the token is in the first message and not in the address', () => {
  open();
  last().open();
  expect(last().url).toMatch(/^ws:\/\/[^?]*\/api\/v1\/live$/);
  expect(last().said).toEqual([{ token: 'secret', topics: liveTopics }]);
});

test('what the server tells is passed on from ready until the line is gone', () => {
  open();
  last().begin();
  last().receive(balance('2'));
  last().end();
  expect(told).toEqual(['ready', 'ready', 'balance', 'gone']);
});

test('a broken connection is made again and goes on after what it was told last', () => {
  open();
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

test('a price has no position, so the last one stays', () => {
  open();
  last().begin('3');
  last().receive({ type: 'prices', data: { market_time: '2026-03-04T14:05:09Z', stale: false, pairs: [] } });
  last().end();
  later(1_000);
  last().open();
  expect(last().said[0]).toMatchObject({ since: '3' });
});

test('pauses grow to half a minute and never stop', () => {
  open();
  const pauses = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
  for (const [index, pause] of pauses.entries()) {
    last().end();
    later(pause - 1);
    expect(sockets).toHaveLength(index + 1);
    later(1);
    expect(sockets).toHaveLength(index + 2);
  }
});

test('pauses are shortened by chance, so that not everybody comes at once', () => {
  vi.mocked(Math.random).mockReturnValue(0.99);
  open();
  last().end();
  later(505);
  expect(sockets).toHaveLength(2);
});

test('after a connection that stood the first pause is short again, after one that broke at once it is not', () => {
  open();
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

test('a line that is silent for two beats is dead, also before it opened', () => {
  open();
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

test('what a socket that was given up still says is heard by nobody', () => {
  open();
  last().begin();
  const { onmessage } = last();
  later(45_000);
  expect(told.at(-1)).toBe('gone');
  expect(last().onmessage).toBeNull();
  expect(onmessage).not.toBeNull();
});

test('a reader who was too slow comes again at once, but not time after time', () => {
  open();
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
])('where there is no place for %s it is tried again a minute later', (_, code) => {
  open();
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
])('a server that refuses %s is not asked again', (_, code) => {
  open();
  last().open();
  last().end(code);
  later(600_000);
  expect(sockets).toHaveLength(1);
  expect(told).toEqual([]);
});

test('a sign-in that the server does not know is told once, and not tried again', () => {
  open();
  last().begin();
  last().end(liveCloses.signedOut);
  later(600_000);
  expect(told).toEqual(['ready', 'ready', 'gone', 'signed out']);
  expect(sockets).toHaveLength(1);
});

test('when the network is back, or somebody looks at the tab, nobody waits for the end of the pause', () => {
  open();
  last().end();
  window.dispatchEvent(new Event('online'));
  expect(sockets).toHaveLength(2);
  last().end();
  document.dispatchEvent(new Event('visibilitychange'));
  expect(sockets).toHaveLength(3);
  later(600_000);
  // Only the third one's silence ended it; the shortened pauses made no second socket.
  window.dispatchEvent(new Event('online'));
  expect(sockets.filter(({ isClosed }) => !isClosed)).toHaveLength(1);
});

test('a tab that is hidden does not hurry', () => {
  open();
  last().end();
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(sockets).toHaveLength(1);
});

test('once ended it says nothing, opens nothing, and is gone', () => {
  open();
  last().begin();
  close();
  expect(last().isClosed).toBe(true);
  expect(told.at(-1)).toBe('gone');
  later(600_000);
  window.dispatchEvent(new Event('online'));
  expect(sockets).toHaveLength(1);
});

test('opened and ended in one breath, as a component that is mounted twice does, it opens one socket', () => {
  const first = openLive('secret', { onReady() {}, onMessage() {}, onDisconnected() {}, onSignedOut() {} });
  first();
  open();
  expect(sockets).toHaveLength(1);
});
