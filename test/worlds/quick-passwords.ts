import { vi } from 'vitest';
import type * as Guesser from '#server/accounts/passwords/password-guesser.ts';
import { OPERATOR_PASSWORD, TEST_PASSWORD } from './test-password.ts';

/**
 * Hashes test passwords with the real library at a thousandth of the cost. The production cost, also for unknown
 * accounts, is tested where this mock is not loaded (server/accounts/passwords/passwords.test.ts).
 */
vi.mock('#server/accounts/passwords/argon2-cost.ts', () => ({
  argon2Cost: { memoryCost: 64, timeCost: 1, parallelism: 1 },
}));

/** Estimating their strength takes ten milliseconds. Other passwords are estimated as usual. */
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
