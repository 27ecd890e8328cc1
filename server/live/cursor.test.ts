import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { liveHandshake } from '#contract/live/live.ts';
import type { TransactionsSeen } from '#server/db/transactions-seen.ts';
import { type Cursor, canResume, cursorAt, readCursor, withSeen, writeCursor } from './cursor.ts';

const startedAt = new Date('2026-03-04T12:00:00.123Z');
const readAt = new Date('2026-03-04T12:05:00.456Z');
const at = (seen: TransactionsSeen): Cursor => cursorAt({ startedAt, readAt, seen });

const anySeen = fc
  .record({
    xmin: fc.bigInt({ min: 1n, max: 2n ** 61n }),
    distances: fc.uniqueArray(fc.bigInt({ min: 0n, max: 500n }), { maxLength: 40 }),
  })
  .map(({ xmin, distances }) => ({
    xmin,
    xmax: xmin + 501n,
    running: distances.sort((one, other) => Number(one - other)).map((distance) => xmin + distance),
  }));

test('a written cursor reads back unchanged and matches the contract', () => {
  fc.assert(
    fc.property(anySeen, anySeen, fc.boolean(), (seen, later, isTold) => {
      const position = isTold ? withSeen(at(seen), 'notification', later) : at(seen);
      const text = writeCursor(position);
      expect(readCursor(text)).toEqual(position);
      expect(liveHandshake.shape.since.safeParse(text).success).toBe(true);
    }),
  );
});

test('a snapshot shared by several topics is written once', () => {
  const seen = { xmin: 1000n, xmax: 1004n, running: [1000n, 1002n] };
  expect(writeCursor(at(seen))).toBe(`${startedAt.getTime().toString(36)}.${readAt.getTime().toString(36)}.rs:4:0,2`);
});

test.each([
  ['nothing', ''],
  ['a word', 'abc'],
  ['two parts', 'a.b'],
  ['two topics', 'a.b.1:1:.1:1:'],
  ['four topics', 'a.b.1:1:.1:1:.1:1:.1:1:'],
  ['an unknown topic', 'a.b.1:1:.x.1:1:'],
  ['a snapshot with two parts', 'a.b.1:1'],
  ['a snapshot with four parts', 'a.b.1:1::'],
  ['transaction zero', 'a.b.0:1:'],
  ['an impossible transaction number', 'a.b.zzzzzzzzzzzzz:1:'],
  ['fourteen digits', 'a.b.10000000000000:1:'],
  ['a running transaction listed twice', 'a.b.1:5:1,1'],
  ['running transactions out of order', 'a.b.1:5:2,1'],
  ['a running transaction past the end', 'a.b.1:5:5'],
  ['an empty running transaction', 'a.b.1:5:,1'],
])('%s is not a cursor', (_, text) => {
  expect(readCursor(text)).toBeUndefined();
});

test('a timestamp past the latest possible one is clamped to it', () => {
  expect(readCursor('a.zzzzzzzzzzzzz.1:1:')?.readAt).toEqual(new Date(8.64e15));
});

const seen = { xmin: 1n, xmax: 1n, running: [] };
const later = (seconds: number) => ({ startedAt, readAt: new Date(readAt.getTime() + seconds * 1000), seen });

test.each([
  ['immediately', 0, true],
  ['nine minutes later', 540, true],
  ['more than nine minutes later', 541, false],
  ['before it was issued', -1, false],
])('%s, events since a cursor are known or not', (_, seconds, isKnown) => {
  expect(canResume({ startedAt, readAt }, later(seconds))).toBe(isKnown);
});

test('a restart of the database server invalidates earlier cursors', () => {
  const restartedAt = new Date(readAt.getTime() - 1000);
  expect(canResume({ startedAt, readAt }, { ...later(1), startedAt: restartedAt })).toBe(false);
});
