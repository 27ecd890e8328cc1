import { describe, expect, test } from 'vitest';
import { liveStep, readStep } from './mailed-code.ts';

const code = {
  sentTo: 'a•••@example.com',
  expiresAt: '2026-03-04T13:15:00Z',
  resendAt: '2026-03-04T13:06:00Z',
  delayed: false,
};
const last = { asked: { address: 'TKq8', amount: 500 }, code };
const isText = (value: unknown): value is string => typeof value === 'string';

describe('browser history state', () => {
  test('is accepted when complete', () => {
    expect(readStep({ asked: 'TKq8', code }, isText)).toEqual({ asked: 'TKq8', code });
  });

  test.each([
    [null],
    ['text'],
    [{ asked: 'TKq8' }],
    [{ asked: 7, code }],
    [{ asked: 'TKq8', code: null }],
    [{ asked: 'TKq8', code: { ...code, sentTo: 7 } }],
    [{ asked: 'TKq8', code: { ...code, resendAt: undefined } }],
    [{ asked: 'TKq8', code: { ...code, delayed: undefined } }],
  ])('is rejected as %j', (value) => {
    expect(readStep(value, isText)).toBeUndefined();
  });
});

describe('a code that was emailed earlier', () => {
  const before = Date.parse(code.expiresAt) - 1;

  test('works for the same operation while it is valid', () => {
    expect(liveStep(last, { ...last.asked }, before)).toBe(last);
  });

  test('works for nothing else, and not after it has expired', () => {
    expect(liveStep(last, { ...last.asked, amount: 501 }, before)).toBeUndefined();
    expect(liveStep(last, { ...last.asked, address: 'TKq9' }, before)).toBeUndefined();
    expect(liveStep(last, last.asked, before + 1)).toBeUndefined();
    expect(liveStep(undefined, last.asked, before)).toBeUndefined();
  });
});
