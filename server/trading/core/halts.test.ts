import { expect, test } from 'vitest';
import { type HaltedPeriod, isHaltedAt } from './session-events.ts';

const at = (time: string) => new Date(`2026-03-04T${time}Z`);
const lifted: HaltedPeriod = { startsAt: at('13:00:10'), endsAt: at('13:20:00') };
const standing: HaltedPeriod = { startsAt: at('14:00:00'), endsAt: null };

test.each([
  ['13:00:10', false],
  ['13:00:10.001', true],
  ['13:20:00', true],
  ['13:20:00.001', false],
  ['14:00:00', false],
  ['17:29:59', true],
])('with halts from 13:00:10 to 13:20 and from 14:00 on, %s is halted: %s', (time, expected) => {
  expect(isHaltedAt([lifted, standing], at(time))).toBe(expected);
});

test('a halt lifted at the instant it began halts nothing', () => {
  expect(isHaltedAt([{ startsAt: at('13:00:00'), endsAt: at('13:00:00') }], at('13:00:00'))).toBe(false);
});
