import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { argon2Cost } from './argon2-cost.ts';
import { createSemaphore } from './semaphore.ts';

/**
 * One hash takes about 40 ms of a core. At most every second core has one to do, and never more than two, so that a flood
 * of sign-ins leaves the others, and most of the threads, to everybody else; who would wait for long is told to come again.
 */
const limited = createSemaphore({ mostRunning: availableParallelism() < 4 ? 1 : 2, mostWaiting: 200 });

/** Verified for unknown ids, so that they take as long as known ones. No password is known to have it: it is zeros. */
const DUMMY_HASH = `$argon2id$v=19$m=${argon2Cost.memoryCost},t=${argon2Cost.timeCost},p=${argon2Cost.parallelism}$AAAAAAAAAAAAAAAAAAAAAA$${'A'.repeat(43)}`;

/**
 * The hash of a right password with today's parameters, for one that was stored with weaker ones; undefined where the
 * stored one is as strong.
 */
export async function strengthenHash(passwordHash: string, password: string): Promise<string | undefined> {
  const [, memory, time, lanes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(passwordHash) ?? [];
  const { memoryCost, timeCost, parallelism } = argon2Cost;
  const isAsStrong = Number(memory) >= memoryCost && Number(time) >= timeCost && Number(lanes) >= parallelism;
  return isAsStrong ? undefined : hashPassword(password);
}

/** By argon2id, the library's default kind. */
export const hashPassword = (password: string): Promise<string> => limited(() => hash(spell(password), argon2Cost));

/** False for a missing hash too, after the same work. */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await limited(() => verify(passwordHash ?? DUMMY_HASH, spell(password)));
  return isRight && typeof passwordHash === 'string';
}

/** The same letters typed on another keyboard may arrive as other code points. */
const spell = (password: string): string => password.normalize('NFKC');
