import { vi } from 'vitest';

/**
 * Passwords of people who live for one test: hashed by the real library, at a thousandth of the cost. That production's
 * is right, and that unknown accounts cost as much, is asked where this is not in force (server/accounts/passwords/passwords.test.ts).
 */
vi.mock('#server/accounts/passwords/argon2-cost.ts', () => ({
  argon2Cost: { memoryCost: 64, timeCost: 1, parallelism: 1 },
}));
