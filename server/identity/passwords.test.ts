import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

test('a password is stored as argon2id with 19 MiB, 2 passes and 1 lane, each time with another salt', async () => {
  const [one, other] = await Promise.all([hashPassword('tulip harbour 7'), hashPassword('tulip harbour 7')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
});

test('only the same password verifies', async () => {
  const stored = await hashPassword('tulip harbour 7');
  expect(await verifyPassword(stored, 'tulip harbour 7')).toBe(true);
  expect(await verifyPassword(stored, 'tulip harbour 8')).toBe(false);
  expect(await verifyPassword(stored, 'Tulip harbour 7')).toBe(false);
});

test('the same letters as other code points are the same password', async () => {
  const stored = await hashPassword('Zürich-Straße');
  expect(await verifyPassword(stored, 'Zu\u0308rich-Straße')).toBe(true);
});

test('no password verifies against an account that does not exist or has none', async () => {
  expect(await verifyPassword(undefined, 'tulip harbour 7')).toBe(false);
  expect(await verifyPassword(null, '')).toBe(false);
});

test('an unknown account costs the work of a known one', async () => {
  const stored = await hashPassword('tulip harbour 7');
  const measure = async (passwordHash: string | undefined) => {
    const times: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const begin = performance.now();
      await verifyPassword(passwordHash, 'a wrong password');
      times.push(performance.now() - begin);
    }
    return Math.min(...times);
  };
  const known = await measure(stored);
  const unknown = await measure(undefined);
  // The fastest of nine is free of other processes' work; without the dummy hash the ratio is above 100.
  expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(2);
});
