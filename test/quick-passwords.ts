import { vi } from 'vitest';
import type * as Guesser from '#server/accounts/passwords/password-guesser.ts';
import { OPERATOR_PASSWORD, TEST_PASSWORD } from './test-password.ts';

/**
 * Passwords of people who live for one test: hashed by the real library, at a thousandth of the cost. That production's
 * is right, and that unknown accounts cost as much, is asked where this is not in force (server/accounts/passwords/passwords.test.ts).
 */
vi.mock('#server/accounts/passwords/argon2-cost.ts', () => ({
  argon2Cost: { memoryCost: 64, timeCost: 1, parallelism: 1 },
}));

/** It takes ten milliseconds to find that a password of theirs is hard to guess. Any other is looked at as ever. */
const hardToGuess: readonly string[] = [TEST_PASSWORD, OPERATOR_PASSWORD];
vi.mock('#server/accounts/passwords/password-guesser.ts', async (load) => {
  const real = await load<typeof Guesser>();
  return {
    ...real,
    refuseWeakPassword: async (...[password, person]: Parameters<typeof Guesser.refuseWeakPassword>) => {
      if (!hardToGuess.includes(password)) await real.refuseWeakPassword(password, person);
    },
  };
});
