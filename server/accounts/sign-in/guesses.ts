import { randomInt } from 'node:crypto';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getRow } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import { networkOf } from '../core/network-of.ts';
import { clearAttempts, countAttempt, findWait, uncountAttempt } from './attempts.ts';

/** Secrets of a sign-in, and what a known device's tries of each count as. */
const ofDevice = {
  sign_in: 'device_sign_in',
  operator_sign_in: 'device_sign_in',
  sign_in_second_factor: 'device_second_factor',
  operator_sign_in_second_factor: 'device_second_factor',
} as const;
type GuessedSecret = keyof typeof ofDevice;

/** A try that was counted, to be forgotten once the secret was right. */
export type Guess = {
  readonly secret: GuessedSecret | (typeof ofDevice)[GuessedSecret];
  readonly account: string;
  readonly stranger?: StrangerTry;
};

/**
 * Counts a try at a secret of a sign-in before it is looked at: of a known device against that device, of an unknown one
 * against what all unknown ones together have for this account, and over all accounts. So strangers use up what strangers
 * have, and nobody is kept out from a browser that they signed in with before. Refusal: `too_many_requests`.
 *
 * @param tried.account what the caller typed, or whose sign-in it is
 * @param tried.deviceId the known device that the try came with
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
    // It was not looked at: it is none of the account's.
    await uncountAttempt(db, secret, account);
    throw new Refused('too_many_requests', stranger);
  }
  return { secret, account, stranger };
}

/** The secret was right: the count begins again. */
export async function clearGuess(tx: Tx, { secret, account, stranger }: Guess): Promise<void> {
  await clearAttempts(tx, secret, account);
  if (stranger !== undefined) await uncountStrangerTry(tx, stranger);
}

/**
 * The brake on many wrong passwords and codes over many accounts: beyond so many failures of unknown devices in ten minutes,
 * they may try so often a minute, all together, and each network five times in 15 minutes. Known devices are not concerned.
 */
export const brake = { windowMinutes: 10, mostFailures: 600, mostAMinute: 60 } as const;

const PARTS = 8;
const MINUTE_MS = 60_000;

export type StrangerTry = { readonly minute: Date; readonly part: number };

/**
 * Counts a try of an unknown device, as a failure until it turns out right. Written before it is read, each in a statement
 * of its own: of many at once no more pass than may. What is refused does not count.
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
  if (all <= brake.mostFailures) return tried;
  const isFull = current > brake.mostAMinute;
  const retryAfterSeconds = isFull
    ? Math.ceil((minute.getTime() + MINUTE_MS - now.getTime()) / 1000)
    : await findWait(db, 'braked_network', networkOf(address), now);
  if (retryAfterSeconds === undefined) return tried;
  await uncountStrangerTry(db, tried);
  return { retryAfterSeconds };
}

/** It was no failure. */
export const uncountStrangerTry = (db: Db, { minute, part }: StrangerTry) =>
  execute(db)`
    update identity.stranger_failure set count = count - 1 where minute = ${minute} and part = ${part}`;
