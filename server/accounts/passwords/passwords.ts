import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { argon2Cost } from './argon2-cost.ts';
import { createSemaphore } from './semaphore.ts';

/**
 * One hash takes about 40 ms of a core. At most two run at once, and one with fewer than four cores, so that a flood of
 * sign-ins leaves the other cores and most threads free. Beyond the queue, callers are refused.
 */
const limited = createSemaphore({ maxRunning: availableParallelism() < 4 ? 1 : 2, maxWaiting: 200 });

/** Verified for unknown ids, so that they take as long as known ones. No known password has this hash of zeros. */
const DUMMY_HASH = `$argon2id$v=19$m=${argon2Cost.memoryCost},t=${argon2Cost.timeCost},p=${argon2Cost.parallelism}$AAAAAAAAAAAAAAAAAAAAAA$${'A'.repeat(43)}`;

/**
 * Rehashes a verified password with the current parameters; undefined if the stored hash is as strong.
 */
export async function strengthenHash(passwordHash: string, password: string): Promise<string | undefined> {
  const [, memory, time, lanes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(passwordHash) ?? [];
  const { memoryCost, timeCost, parallelism } = argon2Cost;
  const isAsStrong = Number(memory) >= memoryCost && Number(time) >= timeCost && Number(lanes) >= parallelism;
  return isAsStrong ? undefined : hashPassword(password);
}

/** With argon2id, the library's default. */
export const hashPassword = (password: string): Promise<string> => limited(() => hash(normalize(password), argon2Cost));

/** False for a missing hash, after the same work. */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await limited(() => verify(passwordHash ?? DUMMY_HASH, normalize(password)));
  return isRight && typeof passwordHash === 'string';
}

/** The same letters typed on another keyboard may arrive as other code points. */
const normalize = (password: string): string => password.normalize('NFKC');
