import { expect, test } from 'vitest';
import { replayStartMs, simulatedStartMs } from './market-start.ts';

const iso = (ms: number | undefined) => ms && new Date(ms).toISOString();
const recorded = (from: string, to: string) => iso(replayStartMs({ fromMs: Date.parse(from), toMs: Date.parse(to) }));

test.each(['00:00:00', '12:30:00', '23:59:59'])('first started at %s, a simulated day begins at 12:20', (time) => {
  expect(iso(simulatedStartMs(Date.parse(`2026-03-04T${time}Z`)))).toBe('2026-03-04T12:20:00.000Z');
});

test('a recording of many days begins before its second whole session', () => {
  expect(recorded('2025-06-16T21:00:00Z', '2025-06-22T21:00:00Z')).toBe('2025-06-18T12:20:00.000Z');
});

test('of one whole session it begins before that one', () => {
  expect(recorded('2025-06-16T12:00:00Z', '2025-06-17T17:29:59Z')).toBe('2025-06-16T12:20:00.000Z');
});

test('a recording that begins with the session begins at its first candle', () => {
  expect(recorded('2025-06-16T12:30:00Z', '2025-06-16T17:30:00Z')).toBe('2025-06-16T12:30:00.000Z');
});

test('without a whole session there is no start', () => {
  expect(recorded('2025-06-16T12:31:00Z', '2025-06-17T17:29:00Z')).toBeUndefined();
});
