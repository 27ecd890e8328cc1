import assert from 'node:assert';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { otpRules } from '#contract/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findValue, hasRow, listRows } from '#server/db/rows.ts';
import { makeOtp } from '#server/random-text.ts';
import { getServerKey, type KeyUse, listServerKeys, type ServerKeys } from '../server-keys.ts';
import { clearAttempts, countAttempt } from '../sign-in/attempts.ts';

/** What a signed-in member confirms by an emailed code. */
export type OperationPurpose = 'withdrawal' | 'address' | 'email' | 'old_email';

/** What a code is good for. A code for one purpose opens nothing else. */
type OtpPurpose = 'reset_password' | OperationPurpose;

type Binding = {
  readonly purpose: OtpPurpose;
  /** What exactly is confirmed, amount and address for one; '' where the purpose says it all. */
  readonly details: string;
  /** Of the reset it is for: a code works, and is tried, only where its request was made. Operations have one code a purpose. */
  readonly requestHash?: Buffer;
};

const NO_REQUEST = Buffer.alloc(0);

/**
 * Makes a code for one account, purpose and operation in place of the one before (docs/product.md, section 8).
 * Undefined while the one before may not be sent again.
 */
export async function issueOtp(
  tx: Tx,
  account: Binding & {
    readonly memberId: bigint;
    readonly resendAt: Date;
    readonly expiresAt: Date;
    readonly now: Date;
  },
): Promise<string | undefined> {
  const code = makeOtp();
  const key = await getServerKey(tx, 'otp', account.now);
  const codeHash = hashOtp(key.value, account, account.memberId, code);
  const { memberId, purpose, requestHash = NO_REQUEST, resendAt, expiresAt, now } = account;
  const isStored = await hasRow(tx)`
    insert into identity.otp as otp (member_id, purpose, request_hash, code_hash, key_version, resend_at, expires_at)
    values (${memberId}, ${purpose}, ${requestHash}, ${codeHash}, ${key.version}, ${resendAt}, ${expiresAt})
    on conflict (member_id, purpose, request_hash) do update set
      code_hash = excluded.code_hash, key_version = excluded.key_version, tries = 0, resend_at = excluded.resend_at, expires_at = excluded.expires_at
    where otp.resend_at <= ${now}
    returning id`;
  return isStored ? code : undefined;
}

/**
 * Uses a code up. Returns the one of the given accounts whose code it is, or undefined after counting a try against
 * the live code of each. The caller must let the transaction commit either way, or the try is not counted.
 */
export async function consumeOtpOfAny(
  tx: Tx,
  tried: Binding & { readonly memberIds: readonly bigint[]; readonly otp: string; readonly now: Date },
): Promise<bigint | undefined> {
  const live = await lockLiveOtps(tx, { requestHash: NO_REQUEST, ...tried }, otpRules.tries, tried.now);
  // After the codes: what they name is there by now.
  const keys = await listServerKeys(tx, 'otp');
  const right = live.find((row) => isCodeOf(keys, row, tried));
  if (right === undefined) {
    await execute(tx)`
      update identity.otp set tries = tries + 1 where id = any(${live.map((row) => row.id)}::bigint[])`;
    return undefined;
  }
  await deleteOtp(tx, right.id);
  return right.memberId;
}

/**
 * Counts one try at the code of an operation, BEFORE anything is compared and outside of the operation's transaction:
 * what that rolls back was still a try, and of twenty at once five are looked at. Each true is worth one `consumeOtp`.
 * Refusal: `too_many_requests` for who asks for code after code.
 *
 * @returns false when there is no live code, or five tries at it were made: the caller refuses `wrong_otp`
 */
export async function claimOtpTry(
  db: Db,
  tried: { readonly memberId: bigint; readonly purpose: OperationPurpose; readonly now: Date },
): Promise<boolean> {
  assert(!db.isTransaction, 'a try counts whatever becomes of the operation');
  await countAttempt(db, 'operation_otp', tried.memberId.toString(), tried.now);
  // A statement of its own: tries at the same time wait for the row and see each other's count.
  return hasRow(db)`
    update identity.otp set tries = tries + 1
    where member_id = ${tried.memberId} and purpose = ${tried.purpose}
      and expires_at > ${tried.now} and tries < ${otpRules.tries}
    returning id`;
}

/**
 * Uses the code of an operation up, in the transaction of the operation: rolled back, it is still there. False when it
 * is wrong, too old, used, replaced by a newer one, or was emailed for anything but exactly `details`.
 */
export async function consumeOtp(
  tx: Tx,
  tried: {
    readonly memberId: bigint;
    readonly purpose: OperationPurpose;
    readonly details: string;
    readonly otp: string;
    readonly now: Date;
  },
): Promise<boolean> {
  assert(tx.isTransaction, 'a code is used in the transaction of its operation');
  const live = await lockOtp(tx, tried.memberId, tried.purpose, tried.now);
  if (live === undefined) return false;
  if (!isCodeOf(await listServerKeys(tx, 'otp'), live, tried)) return false;
  await deleteOtp(tx, live.id);
  await clearAttempts(tx, 'operation_otp', tried.memberId.toString());
  return true;
}

/** With the version of the key that it was emailed under: a code survives the key's rotation. */
function isCodeOf(keys: ServerKeys, row: LiveOtp, tried: Binding & { readonly otp: string }): boolean {
  const key = keys.get(row.keyVersion);
  assert(key !== undefined, 'a key that a code names is not retired');
  return timingSafeEqual(row.codeHash, hashOtp(key, tried, row.memberId, tried.otp));
}

/** Emailed codes, which are gone after ten minutes. */
export const otpKeyUse: KeyUse = { name: 'otp', countRows: countOtpKeys };

/** Fields are separated by what none of the first three can contain, so that no two bindings hash alike. */
function hashOtp(key: Buffer, binding: Binding, memberId: bigint, code: string): Buffer {
  return createHmac('sha256', key).update(`${binding.purpose}\n${memberId}\n${code}\n${binding.details}`).digest();
}

type LiveOtp = { id: bigint; memberId: bigint; codeHash: Buffer; keyVersion: number };

/** Codes that may still be tried, locked in id order: tries at the same time go one after the other. */
async function lockLiveOtps(
  tx: Tx,
  of: { readonly memberIds: readonly bigint[]; readonly purpose: string; readonly requestHash: Buffer },
  mostTries: number,
  now: Date,
): Promise<LiveOtp[]> {
  const { rows } = await sql<{ id: bigint; member_id: bigint; code_hash: Uint8Array; key_version: number }>`
    select id, member_id, code_hash, key_version from identity.otp
    where member_id = any(${of.memberIds}::bigint[]) and purpose = ${of.purpose} and request_hash = ${of.requestHash}
      and expires_at > ${now} and tries < ${mostTries}
    order by id for update`.execute(tx);
  return rows.map((row) => ({
    id: row.id,
    memberId: row.member_id,
    codeHash: Buffer.from(row.code_hash),
    keyVersion: row.key_version,
  }));
}

/** The live code of one account, locked, however often it was tried. */
async function lockOtp(tx: Tx, memberId: bigint, purpose: string, now: Date): Promise<LiveOtp | undefined> {
  const { rows } = await sql<{ id: bigint; code_hash: Uint8Array; key_version: number }>`
    select id, code_hash, key_version from identity.otp
    where member_id = ${memberId} and purpose = ${purpose} and expires_at > ${now} for update`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  return { id: row.id, memberId, codeHash: Buffer.from(row.code_hash), keyVersion: row.key_version };
}

/** When the code before may be sent again. */
export const findResendAt = (tx: Tx, memberId: bigint, purpose: string) =>
  findValue(tx)<Date>`
    select resend_at as "resendAt" from identity.otp where member_id = ${memberId} and purpose = ${purpose}`;

const deleteOtp = (tx: Tx, id: bigint) => execute(tx)`delete from identity.otp where id = ${id}`;

/** How many codes name each version of the key they were hashed with. */
async function countOtpKeys(db: Db): Promise<Map<number, number>> {
  const rows = await listRows(db)<{ version: number; count: number }>`
    select key_version as version, count(*)::int as count from identity.otp group by key_version`;
  return new Map(rows.map(({ version, count }) => [version, count]));
}
