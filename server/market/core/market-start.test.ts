import { expect, test } from 'vitest';
import { replayStartMs, simulatedStartMs } from './market-start.ts';

const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
const june = (time: string) => Date.parse(`2025-06-${time}Z`);
const recorded = (from: string, to: string) => iso(replayStartMs({ fromMs: june(from), toMs: june(to) }))?.slice(8);

test.each(['00:00:00', '12:30:00', '23:59:59'])('a simulated day first started at %s begins at 12:20', (time) => {
  expect(iso(simulatedStartMs(Date.parse(`2026-03-04T${time}Z`)))).toBe('2026-03-04T12:20:00.000Z');
});

test.each([
  ['of many days begins before its second full session', '16T21:00:00', '22T21:00:00', '18T12:20:00.000Z'],
  ['of one full session begins before that one', '16T12:00:00', '17T17:29:59', '16T12:20:00.000Z'],
  ['that starts with the session begins at its first candle', '16T12:30:00', '16T17:30:00', '16T12:30:00.000Z'],
  ['without a full session has no start', '16T12:31:00', '17T17:29:00', undefined],
])('a recording %s', (_, from, to, start) => {
  expect(recorded(from, to)).toBe(start);
});
