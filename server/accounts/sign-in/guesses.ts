import { randomInt } from 'node:crypto';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getRow } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import { networkOf } from '../core/network-of.ts';
import { clearAttempts, countAttempt, findWait, uncountAttempt } from './attempts.ts';

/** Secrets of a sign-in, and the limit that counts a known device's tries of each. */
const ofDevice = {
  sign_in: 'device_sign_in',
  operator_sign_in: 'device_sign_in',
  sign_in_second_factor: 'device_second_factor',
  operator_sign_in_second_factor: 'device_second_factor',
} as const;
type GuessedSecret = keyof typeof ofDevice;

/** A counted try, to be cleared if the secret was right. */
export type Guess = {
  readonly secret: GuessedSecret | (typeof ofDevice)[GuessedSecret];
  readonly account: string;
  readonly stranger?: StrangerTry;
};

/**
 * Counts a try at a secret of a sign-in before it is checked. A known device has its own limit; unknown devices share
 * one per account, and one over all accounts. So attackers can only lock out unknown devices, never a browser that the
 * owner signed in with before. Refuses `too_many_requests`.
 *
 * @param tried.account the login as entered, or the owner of the sign-in
 * @param tried.deviceId the known device, if any
 */
export async function countGuess(
  { db, now }: Pick<Context, 'db' | 'now'>,
  secret: GuessedSecret,
  tried: { readonly account: string; readonly deviceId: bigint | undefined; readonly address: string },
): Promise<Guess> {
  const { account, deviceId, address } = tried;
  if (deviceId !== undefined) {
    const guess = { secret: ofDevice[secret], account: deviceId.toString() };
    await countAttempt(db, guess.secret, guess.account, now());
    return guess;
  }
  await countAttempt(db, secret, account, now());
  const stranger = await claimStrangerTry(db, address, now());
  if ('retryAfterSeconds' in stranger) {
    // The secret was not checked, so the try does not count for the account.
    await uncountAttempt(db, secret, account);
    throw new Refused('too_many_requests', stranger);
  }
  return { secret, account, stranger };
}

/** Resets the counts after a correct secret. */
export async function clearGuess(tx: Tx, { secret, account, stranger }: Guess): Promise<void> {
  await clearAttempts(tx, secret, account);
  if (stranger !== undefined) await uncountStrangerTry(tx, stranger);
}

/**
 * Throttles wrong passwords and codes spread over many accounts: after `maxFailures` failures of unknown devices in
 * ten minutes, all unknown devices together may try `maxPerMinute` times a minute, and each network five times in 15
 * minutes. Known devices are not affected.
 */
export const brake = { windowMinutes: 10, maxFailures: 600, maxPerMinute: 60 } as const;

const PARTS = 8;
const MINUTE_MS = 60_000;

export type StrangerTry = { readonly minute: Date; readonly part: number };

/**
 * Counts a try of an unknown device, as a failure until it succeeds. The write comes before the read, as separate
 * statements, so concurrent tries cannot exceed the limit. Refused tries do not count.
 */
export async function claimStrangerTry(
  db: Db,
  address: string,
  now: Date,
): Promise<StrangerTry | { readonly retryAfterSeconds: number }> {
  const minute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS);
  const tried = { minute, part: randomInt(PARTS) };
  await execute(db)`
    insert into identity.stranger_failure as f (minute, part, count) values (${minute}, ${tried.part}, 1)
    on conflict (minute, part) do update set count = f.count + 1`;
  const since = new Date(minute.getTime() - (brake.windowMinutes - 1) * MINUTE_MS);
  const { all, current } = await getRow(db)<{ all: number; current: number }>`
    select coalesce(sum(count), 0)::int as all, coalesce(sum(count) filter (where minute = ${minute}), 0)::int as current
    from identity.stranger_failure where minute between ${since} and ${minute}`;
  if (all <= brake.maxFailures) return tried;
  const isFull = current > brake.maxPerMinute;
  const retryAfterSeconds = isFull
    ? Math.ceil((minute.getTime() + MINUTE_MS - now.getTime()) / 1000)
    : await findWait(db, 'braked_network', networkOf(address), now);
  if (retryAfterSeconds === undefined) return tried;
  await uncountStrangerTry(db, tried);
  return { retryAfterSeconds };
}

/** Takes back a try that was refused or succeeded. */
export const uncountStrangerTry = (db: Db, { minute, part }: StrangerTry) =>
  execute(db)`
    update identity.stranger_failure set count = count - 1 where minute = ${minute} and part = ${part}`;
