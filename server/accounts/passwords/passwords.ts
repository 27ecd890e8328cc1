import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { createSemaphore } from './semaphore.ts';

/** argon2id, the library's default kind, with OWASP's parameters: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * One hash takes about 40 ms of a core. At most every second core has one to do, and never more than two, so that a flood
 * of sign-ins leaves the others, and most of the threads, to everybody else; who would wait for long is told to come again.
 */
const inTurn = createSemaphore({ mostRunning: availableParallelism() < 4 ? 1 : 2, mostWaiting: 200 });

/** Verified for unknown ids, so that they take as long as known ones. No password is known to have it: it is zeros. */
const DUMMY_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$AAAAAAAAAAAAAAAAAAAAAA$${'A'.repeat(43)}`;

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(spell(password), COST));

/** False for a missing hash too, after the same work. */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await inTurn(() => verify(passwordHash ?? DUMMY_HASH, spell(password)));
  return isRight && typeof passwordHash === 'string';
}

/** The same letters typed on another keyboard may arrive as other code points. */
const spell = (password: string): string => password.normalize('NFKC');
