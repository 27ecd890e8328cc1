import assert from 'node:assert';
import { createHash, randomBytes } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { sql } from 'kysely';
import { generateSync, generateURI, verifySync } from 'otplib';
import type { SecondFactor } from '#contract/fields.ts';
import { recoveryCodePattern, recoveryCodeRules } from '#contract/rules.ts';
import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow, getValue, hasRow } from '#server/db/rows.ts';
import { randomLetters } from '#server/random-text.ts';
import { Refused } from '#server/refused.ts';
import { recoveryCodeUsedEmail } from '../core/emails.ts';
import { type Owner, ownedBy, ownerColumns } from '../owner.ts';
import { verifyPasskeyAnswer } from '../passkeys/ceremonies.ts';
import { clearAttempts, countAttempt } from '../sign-in/attempts.ts';
import { notifySecurity } from '../sign-in/notify-security.ts';
import { keepUsedTwoFactor } from './keep-two-factor.ts';

type FactorKind = 'app' | 'passkey' | 'recovery_code';

/** Whether two-factor authentication is on. */
export const hasSecondFactor = async (db: Db, memberId: bigint): Promise<boolean> =>
  isAnyOn(await findSecondFactors(db, memberId));

/**
 * Runs before the transaction of an operation that requires the second factor: refuses a missing answer before any
 * other secret is tried, and counts a try that the operation cannot roll back. Refuses `second_factor_required`,
 * `too_many_requests`.
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

/** Counts a try outside the transaction that checks it. Refuses `too_many_requests`. */
export async function countSecondFactorTry({ db, now }: Pick<Context, 'db' | 'now'>, memberId: bigint): Promise<void> {
  assert(!db.isTransaction, 'a try counts even if the operation rolls back');
  await countAttempt(db, 'second_factor', memberId.toString(), now());
}

/**
 * Verifies and consumes the second factor, if the member has one, in the transaction of an operation. The caller has
 * locked the member, so turning a factor on or off waits. A rollback restores the answer, but its try stays counted
 * (`precheckSecondFactor`). Refuses `second_factor_required` and `wrong_second_factor`, at `second_factor`;
 * `passkey_refused`.
 *
 * @returns the kind of answer; null without a second factor
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
 * Verifies and consumes an answer, whose try the caller has counted, and resets the tries. Undefined for a wrong, old
 * or used code. Refuses `passkey_refused`.
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
    await acceptAnswer(context, tx, memberId);
    return 'passkey';
  }
  const kind = recoveryCodePattern.test(answer) ? 'recovery_code' : 'app';
  const isRight =
    kind === 'app'
      ? await consumeAppCode(tx, { memberId }, answer, context.now())
      : await consumeRecoveryCode(tx, memberId, answer);
  if (!isRight) return undefined;
  await acceptAnswer(context, tx, memberId);
  if (kind === 'recovery_code') await notifyRecoveryCodeUsed(context, tx, memberId, use);
  return kind;
}

async function acceptAnswer(context: Context, tx: Tx, memberId: bigint): Promise<void> {
  await clearAttempts(tx, 'second_factor', memberId.toString());
  await keepUsedTwoFactor(tx, context, memberId);
}

async function notifyRecoveryCodeUsed(
  context: Context,
  tx: Tx,
  memberId: bigint,
  use: 'sign_in' | 'change',
): Promise<void> {
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
    mail: recoveryCodeUsedEmail(use, left),
  });
}

/** A member's second factors. Without either, two-factor authentication is off. */
export type SecondFactors = { readonly hasApp: boolean; readonly passkeys: number };

export const findSecondFactors = (db: Db, memberId: bigint) =>
  getRow(db)<SecondFactors>`
    select exists (select from identity.totp where member_id = ${memberId} and confirmed_at is not null) as "hasApp",
           (select count(*)::int from identity.passkey where member_id = ${memberId}) as passkeys`;

export const isAnyOn = ({ hasApp, passkeys }: SecondFactors): boolean => hasApp || passkeys > 0;

/** Replaces the codes with ten new ones, of which only hashes are stored. */
export async function issueRecoveryCodes(tx: Tx, memberId: bigint): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeRules.count }, makeRecoveryCode);
  await replaceRecoveryCodes(
    tx,
    memberId,
    codes.map((code) => hashCode(memberId, code)),
  );
  return codes;
}

/** Consumes a code: of twenty concurrent attempts one gets the row. The caller has counted the try. */
const consumeRecoveryCode = (tx: Tx, memberId: bigint, code: string) =>
  hasRow(tx)`
    delete from identity.recovery_code where member_id = ${memberId} and code_hash = ${hashCode(memberId, code)} returning 1`;

/** 16 letters out of 30 are 78 random bits, too many to reverse even a plain hash. */
function makeRecoveryCode(): string {
  const { groups, groupLetters } = recoveryCodeRules;
  return Array.from({ length: groups }, () => randomLetters(groupLetters)).join('-');
}

/** Ignores case, hyphens and spaces. */
function hashCode(memberId: bigint, code: string): Buffer {
  const letters = code.replaceAll(/[- ]/g, '').toUpperCase();
  return createHash('sha256').update(`recovery\n${memberId}\n${letters}`).digest();
}

/** Invalidates the previous codes. */
async function replaceRecoveryCodes(tx: Tx, memberId: bigint, codeHashes: readonly Buffer[]): Promise<void> {
  await deleteRecoveryCodes(tx, memberId);
  const values = codeHashes.map((codeHash) => sql`(${memberId}::bigint, ${codeHash}::bytea)`);
  await execute(tx)`insert into identity.recovery_code (member_id, code_hash) values ${sql.join(values)}`;
}

export const deleteRecoveryCodes = (tx: Tx, memberId: bigint) =>
  execute(tx)`delete from identity.recovery_code where member_id = ${memberId}`;

const countRecoveryCodes = (db: Db, memberId: bigint): Promise<number> =>
  getValue(db)<number>`
    select count(*)::int as count from identity.recovery_code where member_id = ${memberId}`;

/** The default of every authenticator app: SHA-1, six digits, a new code every 30 seconds. */
const FORM = { algorithm: 'sha1', digits: 6, period: 30 } as const;
/** 160 bits, as long as the hash (RFC 4226 section 4). */
const SECRET_BYTES = 20;

export const makeTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** As text, to enter by hand. */
export const writeTotpSecret = (secret: Buffer): string => base32nopad.encode(secret);

/** The content of the QR code: `label` is the account, `issuer` the brand. */
export const totpUri = (secret: Buffer, issuer: string, label: string): string =>
  generateURI({ ...FORM, issuer, label, secret: writeTotpSecret(secret) });

/** The current code, for a secret in text form. */
export const totpOf = (secret: string, now: Date): string =>
  generateSync({ ...FORM, strategy: 'totp', secret, epoch: Math.floor(now.getTime() / 1000) });

/**
 * The time step of a code, or undefined. Accepts one step before and after, for inaccurate clocks and slow typing. A
 * code stays valid within its time, so the caller stores the newest consumed step.
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
  /** Start of the set-up. */
  readonly begunAt: Date;
};

export const findTotp = (db: Db, owner: Owner) =>
  findRow(db)<TotpRow>`
    select id, secret, confirmed_at is not null as "isConfirmed", created_at as "begunAt"
    from identity.totp where ${ownedBy(owner)}`;

const SET_UP_MS = 30 * 60_000;

/**
 * A pending set-up of an app. It is valid for half an hour, because it does not ask for the password again. Refuses
 * `second_factor_missing`, `second_factor_on`.
 */
export async function getSetUp(db: Db, owner: Owner, now: Date): Promise<TotpRow> {
  const totp = await findTotp(db, owner);
  if (totp?.isConfirmed) throw new Refused('second_factor_on');
  if (totp === undefined || now.getTime() - totp.begunAt.getTime() >= SET_UP_MS) {
    throw new Refused('second_factor_missing');
  }
  return totp;
}

/** Invalidates a pending set-up after a security change: an attacker may have started it. */
export const deleteSetUp = (tx: Tx, owner: Owner) =>
  execute(tx)`delete from identity.totp where ${ownedBy(owner)} and confirmed_at is null`;

/** Replaces an unconfirmed secret; false if a confirmed one exists. */
export function upsertTotp(
  tx: Tx,
  owner: Owner,
  draft: { readonly secret: Buffer; readonly now: Date },
): Promise<boolean> {
  const { memberId, operatorId } = ownerColumns(owner);
  return hasRow(tx)`
    insert into identity.totp as totp (member_id, operator_id, secret, created_at)
    values (${memberId}, ${operatorId}, ${draft.secret}, ${draft.now})
    on conflict (${sql.ref(memberId === null ? 'operator_id' : 'member_id')}) do update set
      secret = excluded.secret, last_step = 0, created_at = excluded.created_at
    where totp.confirmed_at is null
    returning id`;
}

/** Advances the newest consumed step; false if this or a later one was consumed before. */
const advanceStep = (tx: Tx, id: bigint, step: number) =>
  hasRow(tx)`
    update identity.totp set last_step = ${step} where id = ${id} and last_step < ${step} returning id`;

/** Confirms exactly the secret whose code was checked: it may have been replaced since. */
export const updateConfirmed = (
  tx: Tx,
  id: bigint,
  confirmed: { readonly secret: Buffer; readonly step: number; readonly now: Date },
) =>
  hasRow(tx)`
    update identity.totp set confirmed_at = ${confirmed.now}, last_step = ${confirmed.step}
    where id = ${id} and confirmed_at is null and secret = ${confirmed.secret} returning id`;

export const deleteTotp = (tx: Tx, id: bigint) => execute(tx)`delete from identity.totp where id = ${id}`;

/**
 * Consumes a code of a confirmed authenticator app: of twenty concurrent attempts one advances the step. False for a
 * wrong, old or used code, and without an app. The caller has counted the try.
 */
export async function consumeAppCode(tx: Tx, owner: Owner, otp: string, now: Date): Promise<boolean> {
  const totp = await findTotp(tx, owner);
  if (totp?.isConfirmed !== true) return false;
  const step = findTotpStep(totp.secret, otp, now);
  return step !== undefined && advanceStep(tx, totp.id, step);
}
