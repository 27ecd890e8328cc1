import { hash } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { hashPassword, strengthenHash, verifyPassword } from './passwords.ts';

test('a password is stored as argon2id with 19 MiB, 2 passes and 1 lane, with a new salt each time', async () => {
  const [one, other] = await Promise.all([hashPassword('tulip harbour 7'), hashPassword('tulip harbour 7')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
});

test.each([
  ['less memory', { memoryCost: 12_288, timeCost: 3, parallelism: 1 }],
  ['fewer passes', { memoryCost: 46_080, timeCost: 1, parallelism: 1 }],
])('a password stored with %s is rehashed with the current parameters', async (_, weaker) => {
  const stored = await hash('tulip harbour 7', weaker);
  const stronger = (await strengthenHash(stored, 'tulip harbour 7')) ?? '';
  expect(stronger).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(stronger, 'tulip harbour 7')).toBe(true);
  expect(await strengthenHash(stronger, 'tulip harbour 7')).toBeUndefined();
});

test('one stored with stronger parameters stays, should they be lowered', async () => {
  const stored = await hash('tulip harbour 7', { memoryCost: 20_480, timeCost: 3, parallelism: 2 });
  expect(await strengthenHash(stored, 'tulip harbour 7')).toBeUndefined();
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

test('an unknown account costs the same work as a known one', async () => {
  const stored = await hashPassword('tulip harbour 7');
  // CPU time, not wall-clock time: load on the machine does not count.
  const measure = async (passwordHash: string | undefined) => {
    const begin = process.cpuUsage();
    await verifyPassword(passwordHash, 'a wrong password');
    const { user, system } = process.cpuUsage(begin);
    return user + system;
  };
  let known = Number.POSITIVE_INFINITY;
  let unknown = Number.POSITIVE_INFINITY;
  // Alternating, and the minimum of each: what slows the CPU affects both, and not every round.
  for (let round = 0; round < 15; round += 1) {
    known = Math.min(known, await measure(stored));
    unknown = Math.min(unknown, await measure(undefined));
  }
  // Without the dummy hash the ratio is above 100; with half the passes it is 1.7, with half the memory 2.
  expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(1.5);
});
