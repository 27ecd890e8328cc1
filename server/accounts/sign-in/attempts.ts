import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';

const QUARTER_HOUR_SECONDS = 900;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/**
 * Secrets that can be guessed, and how often in which window. Strict, per account; addresses are limited apart. At a sign-in
 * those of an account are for devices that it does not know, all of them together.
 */
const attemptLimits = {
  sign_in: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  operator_sign_in: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  /** Of one known device, for passwords and for codes: by its owner, or by who has both the browser and the time. */
  device_sign_in: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  device_second_factor: { most: 10, windowSeconds: HOUR_SECONDS },
  current_password: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  operator_password: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  /** Above the five tries a code has itself, so that it only stops those who ask for code after code. */
  reset_otp: { most: 30, windowSeconds: QUARTER_HOUR_SECONDS },
  operation_otp: { most: 30, windowSeconds: QUARTER_HOUR_SECONDS },
  /** Codes emailed to one account: 10 × 5 tries a day leave a guesser a chance of 1 in 20 000. */
  reset_code: { most: 10, windowSeconds: DAY_SECONDS },
  /** Asked for by a known device: strangers who use up the ten take nothing from it. */
  device_reset_code: { most: 10, windowSeconds: DAY_SECONDS },
  /** For withdrawals and addresses of all kinds together; twice as many, because there a guesser needs the password as well. */
  operation_code: { most: 20, windowSeconds: DAY_SECONDS },
  /**
   * Three codes are right at any moment, so 10 wrong ones an hour leave who knows the password already a chance of 1 in
   * 1 400 a day. Counted per account and not per sign-in only, or a new sign-in would bring five new tries.
   */
  second_factor: { most: 10, windowSeconds: HOUR_SECONDS },
  operator_second_factor: { most: 10, windowSeconds: HOUR_SECONDS },
  /** Nobody guesses a signature: this bounds the checking of made-up ones. By passkey, whose id only its device and the server know. */
  passkey_sign_in: { most: 30, windowSeconds: QUARTER_HOUR_SECONDS },
  /** At a sign-in apart from that: who knows the password uses nothing up that somebody needs who is signed in. */
  sign_in_second_factor: { most: 10, windowSeconds: HOUR_SECONDS },
  operator_sign_in_second_factor: { most: 10, windowSeconds: HOUR_SECONDS },
  /** Of one network while the brake on unknown devices is on. */
  braked_network: { most: 5, windowSeconds: QUARTER_HOUR_SECONDS },
  /** No secret, but costly, and everything at once: who does it by mistake once more has not lost the day. */
  data_export: { most: 3, windowSeconds: DAY_SECONDS },
} as const;

type GuardedSecret = keyof typeof attemptLimits;

/**
 * Counts one try against a secret before the secret is looked at, so that a hundred guesses at once are a hundred
 * tries. `account` is what the caller typed, known or not: unknown ids are limited just the same and tell nothing.
 *
 * @returns seconds to wait when there were too many, else undefined
 */
export async function findWait(db: Db, secret: GuardedSecret, account: string, now: Date): Promise<number | undefined> {
  const { most, windowSeconds } = attemptLimits[secret];
  const { count, expiresAt } = await addAttempt(db, { keyHash: keyHash(secret, account), most, windowSeconds, now });
  if (count <= most) return undefined;
  return Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000));
}

/** The same as a refusal. Outside of transactions only: what a refusal rolls back was not counted. */
export async function countAttempt(db: Db, secret: GuardedSecret, account: string, now: Date): Promise<void> {
  const wait = await findWait(db, secret, account, now);
  if (wait !== undefined) throw new Refused('too_many_requests', { retryAfterSeconds: wait });
}

/** Somebody knew the secret: the count begins again. */
export async function clearAttempts(tx: Tx, secret: GuardedSecret, account: string): Promise<void> {
  await deleteAttempts(tx, keyHash(secret, account));
}

/** A try that was counted and never looked at. */
export const uncountAttempt = (db: Db, secret: GuardedSecret, account: string) =>
  execute(db)`
    update identity.attempt set count = count - 1 where key_hash = ${keyHash(secret, account)} and count > 0`;

const keyHash = (secret: GuardedSecret, account: string): Buffer =>
  createHash('sha256').update(`${secret}\n${account}`).digest();

/** One more try in the window, or the first of a new one. The count stops one above the limit, so nothing grows. */
async function addAttempt(
  db: Db,
  attempt: { keyHash: Buffer; most: number; windowSeconds: number; now: Date },
): Promise<{ count: number; expiresAt: Date }> {
  const end = new Date(attempt.now.getTime() + attempt.windowSeconds * 1000);
  const { rows } = await sql<{ count: number; expiresAt: Date }>`
    insert into identity.attempt as attempt (key_hash, count, expires_at) values (${attempt.keyHash}, 1, ${end})
    on conflict (key_hash) do update set
      count = case when attempt.expires_at <= ${attempt.now}::timestamptz then 1
                   else least(attempt.count + 1, ${attempt.most + 1}::int) end,
      expires_at = case when attempt.expires_at <= ${attempt.now}::timestamptz then ${end}::timestamptz
                        else attempt.expires_at end
    returning count, expires_at as "expiresAt"`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('an attempt was not counted');
  return row;
}

const deleteAttempts = (tx: Tx, keyHash: Buffer) =>
  execute(tx)`delete from identity.attempt where key_hash = ${keyHash}`;
