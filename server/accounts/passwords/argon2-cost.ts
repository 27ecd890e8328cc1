/**
 * OWASP's parameters of argon2id: 19 MiB, 2 passes, 1 lane. Raised, passwords are hashed again as their owners sign in
 * (`strengthenHash`).
 */
export const argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
