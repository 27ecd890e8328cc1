import { expect, test } from 'vitest';
import { randomText } from './random-text.ts';

test('is 43 characters that the server accepts, different each time', () => {
  const made = Array.from({ length: 200 }, randomText);
  expect(made.filter((token) => !/^[A-Za-z0-9_-]{43}$/.test(token))).toEqual([]);
  expect(new Set(made).size).toBe(200);
});
