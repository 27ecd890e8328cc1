/**
 * OWASP's parameters for argon2id: 19 MiB, 2 passes, 1 lane. After an increase, passwords are rehashed at the next
 * sign-in (`strengthenHash`).
 */
export const argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
