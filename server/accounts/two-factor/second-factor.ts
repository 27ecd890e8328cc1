import assert from 'node:assert';
import { createHash, randomBytes } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { type RawBuilder, sql } from 'kysely';
import { generateSync, generateURI, verifySync } from 'otplib';
import type { SecondFactor } from '#contract/fields.ts';
import { recoveryCodePattern, recoveryCodeRules } from '#contract/rules.ts';
import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getRow, hasRow } from '#server/db/rows.ts';
import { randomLetters } from '#server/random-text.ts';
import { Refused } from '#server/refused.ts';
import { recoveryCodeUsedEmail } from '../core/emails.ts';
import { getMember } from '../members/members.ts';
import { type Owner, ownedBy } from '../owner.ts';
import { verifyPasskeyAnswer } from '../passkeys/ceremonies.ts';
import { clearAttempts, countAttempt } from '../sign-in/attempts.ts';
import { notifySecurity } from '../sign-in/notify-security.ts';

/** With what a member answered. */
type FactorKind = 'app' | 'passkey' | 'recovery_code';

/** Whether a member is asked for more than the password. */
export const hasSecondFactor = async (db: Db, memberId: bigint): Promise<boolean> =>
  isAnyOn(await findSecondFactors(db, memberId));

/**
 * Before the transaction of an operation that asks for the second factor: an answer that is missing is refused before
 * any other secret of the operation is tried, and one that is there is counted as a try whatever becomes of the
 * operation. Refusals: `second_factor_required`, `too_many_requests`.
 */
export async function precheckSecondFactor(
  context: Context,
  memberId: bigint,
  answer: SecondFactor | undefined,
): Promise<void> {
  if (!(await hasSecondFactor(context.db, memberId))) return;
  if (answer === undefined) throw new Refused('second_factor_required');
  await countSecondFactorTry(context, memberId);
}

/** One more try, which the transaction that looks at it cannot undo. Refusal: `too_many_requests`. */
export async function countSecondFactorTry({ db, now }: Pick<Context, 'db' | 'now'>, memberId: bigint): Promise<void> {
  assert(!db.isTransaction, 'a try counts whatever becomes of the operation');
  await countAttempt(db, 'second_factor', memberId.toString(), now());
}

/**
 * Takes the second factor in the transaction of an operation, which holds the member: one that is turned on or off at
 * this moment waits. Nothing is asked of who has none. Rolled back, the answer was not used up, but its try stays counted
 * (`precheckSecondFactor`). Refusals: `second_factor_required` and `wrong_second_factor`, at
 * `second_factor`; `passkey_refused`.
 *
 * @returns with what it was answered; null when nothing was asked for
 */
export async function consumeSecondFactor(
  context: Context,
  tx: Tx,
  memberId: bigint,
  answer: SecondFactor | undefined,
): Promise<FactorKind | null> {
  if (!(await hasSecondFactor(tx, memberId))) return null;
  if (answer === undefined) throw new Refused('second_factor_required');
  const kind = await consumeAnswer(context, tx, memberId, answer, 'change');
  if (kind === undefined) throw new Refused('wrong_second_factor', { field: 'second_factor' });
  return kind;
}

/**
 * Uses an answer up, of which the try was counted, and forgets the tries. Undefined of a code that is wrong, old or used.
 * Refusal: `passkey_refused`.
 */
export async function consumeAnswer(
  context: Context,
  tx: Tx,
  memberId: bigint,
  answer: SecondFactor,
  use: 'sign_in' | 'change',
): Promise<FactorKind | undefined> {
  if (typeof answer !== 'string') {
    await verifyPasskeyAnswer(context, tx, { memberId }, answer, use === 'sign_in' ? 'second_factor' : 'confirm');
    await clearAttempts(tx, 'second_factor', memberId.toString());
    return 'passkey';
  }
  const kind = recoveryCodePattern.test(answer) ? 'recovery_code' : 'app';
  const isRight =
    kind === 'app'
      ? await consumeAppCode(tx, { memberId }, answer, context.now())
      : await consumeRecoveryCode(tx, memberId, answer);
  if (!isRight) return undefined;
  await clearAttempts(tx, 'second_factor', memberId.toString());
  if (kind === 'recovery_code') await notifyRecoveryCodeUsed(context, tx, memberId, use);
  return kind;
}

async function notifyRecoveryCodeUsed(
  context: Context,
  tx: Tx,
  memberId: bigint,
  use: 'sign_in' | 'change',
): Promise<void> {
  const { brandName, supportEmail } = context.config;
  const { referralCode } = await getMember(tx, memberId);
  const left = await countRecoveryCodes(tx, memberId);
  await notifySecurity(context, tx, {
    memberId,
    kind: 'recovery_code_used',
    message:
      use === 'sign_in'
        ? english.plural(left, {
            one: 'A recovery code was used to sign in. # is left.',
            other: 'A recovery code was used to sign in. # are left.',
          })
        : english.plural(left, {
            one: 'A recovery code was used to confirm a change or a withdrawal. # is left.',
            other: 'A recovery code was used to confirm a change or a withdrawal. # are left.',
          }),
    mail: recoveryCodeUsedEmail(brandName, referralCode, use, left, supportEmail),
  });
}

/** What a member is asked for besides the password; neither is no second factor. */
export type SecondFactors = { readonly hasApp: boolean; readonly passkeys: number };

export const findSecondFactors = (db: Db, memberId: bigint) =>
  getRow(db)<SecondFactors>`
    select exists (select from identity.totp where member_id = ${memberId} and confirmed_at is not null) as "hasApp",
           (select count(*)::int from identity.passkey where member_id = ${memberId}) as passkeys`;

export const isAnyOn = ({ hasApp, passkeys }: SecondFactors): boolean => hasApp || passkeys > 0;

/** Ten new codes in place of the ones before. They exist nowhere else: only their hashes are stored. */
export async function issueRecoveryCodes(tx: Tx, memberId: bigint): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeRules.count }, makeRecoveryCode);
  await replaceRecoveryCodes(
    tx,
    memberId,
    codes.map((code) => hashCode(memberId, code)),
  );
  return codes;
}

/** Uses a code up: of twenty at once, one gets the row. The caller has counted the try. */
const consumeRecoveryCode = (tx: Tx, memberId: bigint, code: string) =>
  hasRow(tx)`
    delete from identity.recovery_code where member_id = ${memberId} and code_hash = ${hashCode(memberId, code)} returning 1`;

/** 16 letters of 30 are 78 random bits: nobody finds them, not even from their plain hash. */
function makeRecoveryCode(): string {
  const { groups, groupLetters } = recoveryCodeRules;
  return Array.from({ length: groups }, () => randomLetters(groupLetters)).join('-');
}

/** The same code however it is written: in any case, with or without hyphens and spaces. */
function hashCode(memberId: bigint, code: string): Buffer {
  const letters = code.replaceAll(/[- ]/g, '').toUpperCase();
  return createHash('sha256').update(`recovery\n${memberId}\n${letters}`).digest();
}

/** The codes of a member from now on; the ones before are worth nothing any more. */
async function replaceRecoveryCodes(tx: Tx, memberId: bigint, codeHashes: readonly Buffer[]): Promise<void> {
  await deleteRecoveryCodes(tx, memberId);
  const values = codeHashes.map((codeHash) => sql`(${memberId}::bigint, ${codeHash}::bytea)`);
  await sql`insert into identity.recovery_code (member_id, code_hash) values ${sql.join(values)}`.execute(tx);
}

export const deleteRecoveryCodes = (tx: Tx, memberId: bigint) =>
  execute(tx)`delete from identity.recovery_code where member_id = ${memberId}`;

async function countRecoveryCodes(db: Db, memberId: bigint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from identity.recovery_code where member_id = ${memberId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The form every authenticator app knows without being told: SHA-1, six digits, a new code every 30 seconds. */
const FORM = { algorithm: 'sha1', digits: 6, period: 30 } as const;
/** 160 bits, as long as the hash (RFC 4226 section 4). */
const SECRET_BYTES = 20;

export const makeTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** As people type it into an app that has no camera. */
export const writeTotpSecret = (secret: Buffer): string => base32nopad.encode(secret);

/** What a QR code carries into the app. `label` says whose account it is, `issuer` at whom. */
export const totpUri = (secret: Buffer, issuer: string, label: string): string =>
  generateURI({ ...FORM, issuer, label, secret: writeTotpSecret(secret) });

/** The code of this moment, for a secret as an app shows it. */
export const totpOf = (secret: string, now: Date): string =>
  generateSync({ ...FORM, strategy: 'totp', secret, epoch: Math.floor(now.getTime() / 1000) });

/**
 * The time step whose code this is, or undefined. One step before and after are taken too, for clocks that are a little
 * off and people who type slowly. A code is right again within its time: the caller keeps the newest step that was taken.
 */
export function findTotpStep(secret: Buffer, otp: string, now: Date): number | undefined {
  const epoch = Math.floor(now.getTime() / 1000);
  const found = verifySync({ ...FORM, strategy: 'totp', secret, token: otp, epoch, epochTolerance: FORM.period });
  if (!found.valid) return undefined;
  return Math.floor(epoch / FORM.period) + found.delta;
}

type TotpRow = {
  readonly id: bigint;
  readonly secret: Buffer;
  readonly isConfirmed: boolean;
  /** When its set-up was begun. */
  readonly begunAt: Date;
};

const columnOf = (owner: Owner): { column: RawBuilder<unknown>; ownerId: bigint } =>
  'memberId' in owner
    ? { column: sql.ref('member_id'), ownerId: owner.memberId }
    : { column: sql.ref('operator_id'), ownerId: owner.operatorId };

export async function findTotp(db: Db, owner: Owner): Promise<TotpRow | undefined> {
  const { column, ownerId } = columnOf(owner);
  const { rows } = await sql<{ id: bigint; secret: Uint8Array; confirmed_at: Date | null; created_at: Date }>`
    select id, secret, confirmed_at, created_at from identity.totp where ${column} = ${ownerId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { id, secret, confirmed_at: confirmedAt, created_at: begunAt } = row;
  return { id, secret: Buffer.from(secret), isConfirmed: confirmedAt !== null, begunAt };
}

const SET_UP_MS = 30 * 60_000;

/**
 * An app whose set-up was begun and waits for its first code, for half an hour: what was asked for then is not asked for
 * again. Refusals: `second_factor_missing`, `second_factor_on`.
 */
export async function getSetUp(db: Db, owner: Owner, now: Date): Promise<TotpRow> {
  const totp = await findTotp(db, owner);
  if (totp?.isConfirmed) throw new Refused('second_factor_on');
  if (totp === undefined || now.getTime() - totp.begunAt.getTime() >= SET_UP_MS) {
    throw new Refused('second_factor_missing');
  }
  return totp;
}

/** Whoever began one before the account was protected otherwise does not finish it. */
export const deleteSetUp = (tx: Tx, owner: Owner) =>
  execute(tx)`delete from identity.totp where ${ownedBy(owner)} and confirmed_at is null`;

/** A new secret in place of one that no code was shown for; false when there is one that was confirmed. */
export async function upsertTotp(
  tx: Tx,
  owner: Owner,
  draft: { readonly secret: Buffer; readonly now: Date },
): Promise<boolean> {
  const { column, ownerId } = columnOf(owner);
  return hasRow(tx)`
    insert into identity.totp as totp (${column}, secret, created_at)
    values (${ownerId}, ${draft.secret}, ${draft.now})
    on conflict (${column}) do update set
      secret = excluded.secret, last_step = 0, created_at = excluded.created_at
    where totp.confirmed_at is null
    returning id`;
}

/** Moves the newest step that was taken on; false when this one, or a later one, was taken before. */
const advanceStep = (tx: Tx, id: bigint, step: number) =>
  hasRow(tx)`
    update identity.totp set last_step = ${step} where id = ${id} and last_step < ${step} returning id`;

/** Only the secret whose code was checked: it may have been replaced since. */
export const updateConfirmed = (
  tx: Tx,
  id: bigint,
  confirmed: { readonly secret: Buffer; readonly step: number; readonly now: Date },
) =>
  hasRow(tx)`
    update identity.totp set confirmed_at = ${confirmed.now}, last_step = ${confirmed.step}
    where id = ${id} and confirmed_at is null and secret = ${confirmed.secret} returning id`;

/** An app that is no longer asked for. */
export const deleteTotp = (tx: Tx, id: bigint) => execute(tx)`delete from identity.totp where id = ${id}`;

/**
 * Takes a code of a confirmed authenticator app, once: of twenty at the same moment one moves the step on. False for a
 * wrong, old or used code, and without an app. The caller has counted the try.
 */
export async function consumeAppCode(tx: Tx, owner: Owner, otp: string, now: Date): Promise<boolean> {
  const totp = await findTotp(tx, owner);
  if (totp?.isConfirmed !== true) return false;
  const step = findTotpStep(totp.secret, otp, now);
  return step !== undefined && advanceStep(tx, totp.id, step);
}
