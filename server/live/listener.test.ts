import { expect, test } from 'vitest';
import type { LiveMessage } from '#contract/live/live.ts';
import { liveCloses, liveTopics } from '#contract/live/live-rules.ts';
import { frameText } from './frame-text.ts';
import { Listener, mostBufferedBytes, mostWaitingBytes } from './listener.ts';
import { testLine } from './live-world.test-setup.ts';

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
const beat = { type: 'beat', position: '1' } as const;

function open() {
  const line = testLine();
  return {
    line,
    listener: new Listener(line, { memberId: 2n, authSessionId: 1n, topics: new Set(liveTopics), now: start }),
  };
}

test('a reader who is behind is shown no prices until there is room for the newest', () => {
  const { line, listener } = open();
  line.fill(mostBufferedBytes + 1);
  listener.show(frame);
  expect(line.told).toEqual([]);
  line.fill(mostBufferedBytes);
  listener.show(frame);
  expect(line.of('prices')).toHaveLength(1);
});

test('what a reader who is behind has to be told waits, and goes out in its order before anything newer', () => {
  const { line, listener } = open();
  line.fill(mostBufferedBytes + 1);
  listener.tell(ticket(1));
  listener.tell(ticket(2));
  expect(line.told).toEqual([]);
  line.fill(0);
  listener.tell(ticket(3));
  expect(line.of('ticket').map(({ data }) => data.ids)).toEqual([['1'], ['2'], ['3']]);
});

test('what waits goes on by itself when there is room', () => {
  const { line, listener } = open();
  line.fill(mostBufferedBytes + 1);
  listener.tell(ticket(1));
  listener.passOn();
  expect(line.told).toEqual([]);
  line.fill(0);
  listener.passOn();
  expect(line.of('ticket')).toHaveLength(1);
});

test('a reader for whom too much waits is closed once, and told nothing more', () => {
  const { line, listener } = open();
  line.fill(mostBufferedBytes + 1);
  const each = 4096;
  for (let told = 0; told <= mostWaitingBytes / each + 1; told += 1) listener.tell(ticket(told + 1, each));
  expect(line.closes).toEqual([liveCloses.tooSlow]);
  line.fill(0);
  listener.tell(ticket(1));
  listener.show(frame);
  listener.passOn();
  expect(line.told).toEqual([]);
});

test('every twenty seconds it is asked whether it is there, and told so', () => {
  const { line, listener } = open();
  listener.heartbeat(later(19), beat);
  expect(line.pings()).toBe(0);
  listener.heartbeat(later(20), beat);
  listener.heartbeat(later(39), beat);
  expect(line.pings()).toBe(1);
  expect(line.of('beat')).toHaveLength(1);
});

test('who answers stays; who is silent to two beats is given up at the third', () => {
  const { line, listener } = open();
  for (const seconds of [20, 40, 60, 80]) {
    listener.heartbeat(later(seconds), beat);
    listener.answer();
  }
  listener.heartbeat(later(100), beat);
  listener.heartbeat(later(120), beat);
  expect(line.isTerminated()).toBe(false);
  listener.heartbeat(later(140), beat);
  expect(line.isTerminated()).toBe(true);
});
