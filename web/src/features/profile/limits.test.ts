import { expect, test } from 'vitest';
import { identity } from '#contract/accounts/sign-in.ts';
import { refusals } from '#contract/refusals.ts';
import { checkLimit, checkPause } from './limits.ts';

const noon = Date.parse('2026-03-04T12:00:00Z');

const firstMessage = (body: object) => identity.setLimits.body.safeParse(body).error?.issues[0]?.message;

test.each(['1', '500', ' 500 ', '1000000000', '0', '-5', '99.5', '1000000001'])('%j as the contract has it', (text) => {
  const said = firstMessage({ deposit_week: Number(text) });
  expect(checkLimit(text)).toEqual(
    said === undefined ? { ok: true, dollars: Number(text) } : { ok: false, message: said },
  );
});

test.each(['', 'a lot', '1,500', '1e3', '$5', '٥'])('%j is not a number', (text) => {
  expect(checkLimit(text)).toEqual({ ok: false, message: firstMessage({ deposit_week: text }) });
});

test.each(['0', '91', '1.5', '-1', '', 'a week'])('%j is not a length of a pause', (text) => {
  expect(checkPause(text, null, noon)).toEqual({ ok: false, message: firstMessage({ pause_days: Number(text) }) });
});

test.each([
  ['1', '2026-03-05T12:00:00Z'],
  ['90', '2026-06-02T12:00:00Z'],
])('a pause of %s days ends at %s', (text, end) => {
  expect(checkPause(text, null, noon)).toEqual({ ok: true, days: Number(text), end: new Date(end) });
});

test('its end is a full minute, never before the days have passed', () => {
  expect(checkPause('1', null, noon + 1)).toMatchObject({ ok: true, end: new Date('2026-03-05T12:01:00Z') });
});

test('a pause that would end before the current one is refused; one as long or longer is not', () => {
  const pausedUntil = '2026-03-07T12:00:00Z';
  expect(checkPause('2', pausedUntil, noon)).toEqual({ ok: false, message: refusals.pause_shortened[1] });
  expect(checkPause('3', pausedUntil, noon).ok).toBe(true);
  expect(checkPause('4', pausedUntil, noon).ok).toBe(true);
});
