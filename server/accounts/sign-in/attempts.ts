import { createHash } from 'node:crypto';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getRow } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';

const QUARTER_HOUR_SECONDS = 900;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/**
 * Limits of tries for guessable secrets, per account; network addresses are limited separately. At a sign-in, the limit
 * of an account is shared by all devices that it does not know.
 */
const attemptLimits = {
  sign_in: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  operator_sign_in: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  /** Per known device, for passwords and for codes. */
  device_sign_in: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  device_second_factor: { most: 10, windowSeconds: HOUR_SECONDS },
  current_password: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  operator_password: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  /** Above the five tries of a single code, so it only stops clients that request one code after another. */
  reset_otp: { most: 30, windowSeconds: QUARTER_HOUR_SECONDS },
  operation_otp: { most: 30, windowSeconds: QUARTER_HOUR_SECONDS },
  /** Codes emailed to one account: 10 × 5 tries a day give an attacker a chance of 1 in 20 000. */
  reset_code: { most: 10, windowSeconds: DAY_SECONDS },
  /** Requested by a known device, so unknown devices cannot use up its limit. */
  device_reset_code: { most: 10, windowSeconds: DAY_SECONDS },
  /** For withdrawals and all address codes together; twice as many, because an attacker also needs the password. */
  operation_code: { most: 20, windowSeconds: DAY_SECONDS },
  /**
   * Three codes are valid at any time, so 10 tries an hour give an attacker with the password a chance of 1 in 1 400 a
   * day. Counted per account and not per sign-in only, or each new sign-in would add five tries.
   */
  second_factor: { most: 10, windowSeconds: HOUR_SECONDS },
  operator_second_factor: { most: 10, windowSeconds: HOUR_SECONDS },
  /** Signatures cannot be guessed: this limits the work for forged ones. Per passkey id, which is not public. */
  passkey_sign_in: { most: 30, windowSeconds: QUARTER_HOUR_SECONDS },
  /** Separate at a sign-in: an attacker with the password cannot use up the tries of the signed-in owner. */
  sign_in_second_factor: { most: 10, windowSeconds: HOUR_SECONDS },
  operator_sign_in_second_factor: { most: 10, windowSeconds: HOUR_SECONDS },
  /** Per network, while unknown devices are throttled. */
  braked_network: { most: 5, windowSeconds: QUARTER_HOUR_SECONDS },
  /** No secret, but expensive; more than one, so that a mistake does not cost a day. */
  data_export: { most: 3, windowSeconds: DAY_SECONDS },
} as const;

type GuardedSecret = keyof typeof attemptLimits;

/**
 * Counts one try before the secret is checked, so that a hundred concurrent guesses are a hundred tries. `account` is
 * what the client entered: unknown ids are limited the same way and reveal nothing.
 *
 * @returns seconds to wait after too many tries, else undefined
 */
export async function findWait(db: Db, secret: GuardedSecret, account: string, now: Date): Promise<number | undefined> {
  const { most, windowSeconds } = attemptLimits[secret];
  const end = new Date(now.getTime() + windowSeconds * 1000);
  // The first try starts a window, and the count stops at one above the limit.
  const { count, expiresAt } = await getRow(db)<{ count: number; expiresAt: Date }>`
    insert into identity.attempt as attempt (key_hash, count, expires_at) values (${keyHash(secret, account)}, 1, ${end})
    on conflict (key_hash) do update set
      count = case when attempt.expires_at <= ${now}::timestamptz then 1
                   else least(attempt.count + 1, ${most + 1}::int) end,
      expires_at = case when attempt.expires_at <= ${now}::timestamptz then ${end}::timestamptz
                        else attempt.expires_at end
    returning count, expires_at as "expiresAt"`;
  if (count <= most) return undefined;
  return Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000));
}

/** The same as a refusal. Only outside transactions, where a refusal cannot roll the count back. */
export async function countAttempt(db: Db, secret: GuardedSecret, account: string, now: Date): Promise<void> {
  const wait = await findWait(db, secret, account, now);
  if (wait !== undefined) throw new Refused('too_many_requests', { retryAfterSeconds: wait });
}

/** Resets the count after a correct secret. */
export const clearAttempts = (tx: Tx, secret: GuardedSecret, account: string) =>
  execute(tx)`delete from identity.attempt where key_hash = ${keyHash(secret, account)}`;

/** Takes back a counted try that was never checked. */
export const uncountAttempt = (db: Db, secret: GuardedSecret, account: string) =>
  execute(db)`
    update identity.attempt set count = count - 1 where key_hash = ${keyHash(secret, account)} and count > 0`;

const keyHash = (secret: GuardedSecret, account: string): Buffer =>
  createHash('sha256').update(`${secret}\n${account}`).digest();
