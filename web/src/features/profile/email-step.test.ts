import { expect, test } from 'vitest';
import { emailStep, emailStepOf, isLive } from './email-step.ts';

const sent = {
  sent_to: 'a•••@example.org',
  expires_at: '2026-03-04T14:10:00Z',
  resend_at: '2026-03-04T14:01:00Z',
  delayed: false,
};
const step = emailStep('change', 'anika@example.org', sent);
const now = Date.parse('2026-03-04T14:05:00Z');

test('a step outlives the reload of its history entry', () => {
  expect(emailStepOf(structuredClone({ emailStep: step }))).toEqual(step);
});

test.each([
  [null],
  ['text'],
  [{}],
  [{ emailStep: null }],
  [{ emailStep: { ...step, email: 7 } }],
  [{ emailStep: { ...step, aim: 'steal' } }],
  [{ emailStep: { ...step, resendAt: undefined } }],
])('%o is no step', (state) => {
  expect(emailStepOf(state)).toBeUndefined();
});

test('a code is used again for its own address until it expires', () => {
  expect(isLive(step, 'anika@example.org', now)).toBe(true);
  expect(isLive(step, 'other@example.org', now)).toBe(false);
  expect(isLive(step, 'anika@example.org', Date.parse(step.expiresAt))).toBe(false);
  expect(isLive(undefined, 'anika@example.org', now)).toBe(false);
});
