import { describe, expect, test } from 'vitest';
import { awaySeconds, deferralSeconds } from './send-due-emails.ts';

describe('back-off', () => {
  test.each([
    [1, 30],
    [2, 60],
    [3, 120],
    [7, 1920],
    [8, 3600],
    [5000, 3600],
  ])('after %i deferrals an email waits %i seconds', (deferrals, seconds) => {
    expect(deferralSeconds(deferrals)).toBe(seconds);
  });

  test.each([
    [1, 5],
    [2, 10],
    [4, 40],
    [5, 60],
    [5000, 60],
  ])('after %i tries without a server it waits %i seconds', (tries, seconds) => {
    expect(awaySeconds(tries)).toBe(seconds);
  });
});
