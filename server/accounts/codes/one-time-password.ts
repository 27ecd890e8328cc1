import assert from 'node:assert';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { otpRules } from '#contract/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, hasRow, listRows } from '#server/db/rows.ts';
import { makeOtp } from '#server/random-text.ts';
import { getServerKey, type KeyUse, listServerKeys, type ServerKeys } from '../server-keys.ts';
import { clearAttempts, countAttempt } from '../sign-in/attempts.ts';

/** Operations that a signed-in member confirms with an emailed code. */
export type OperationPurpose = 'withdrawal' | 'address' | 'email' | 'old_email' | 'second_factor';

/** A code is valid for one purpose only. */
type OtpPurpose = 'reset_password' | OperationPurpose;

type Binding = {
  readonly purpose: OtpPurpose;
  /** The exact operation, for example amount and address; '' where the purpose is enough. */
  readonly details: string;
  /** The reset request it belongs to: only the page that made the request can try the code. Operations have none. */
  readonly requestHash?: Buffer;
};

const NO_REQUEST = Buffer.alloc(0);

/**
 * Issues a code for one account, purpose and operation, replacing the previous one (docs/product.md, section 8).
 * Undefined until the resend delay of the previous one has passed.
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
 * Consumes a code and returns which of the given accounts it belongs to, or counts a try against the live code of each
 * and returns undefined. The caller must commit either way, or the try is not counted.
 */
export async function consumeOtpOfAny(
  tx: Tx,
  tried: Binding & { readonly memberIds: readonly bigint[]; readonly otp: string; readonly now: Date },
): Promise<bigint | undefined> {
  const live = await lockLiveOtps(tx, { requestHash: NO_REQUEST, ...tried });
  // After locking the codes, so the keys that they name exist.
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
 * Counts one try at an operation's code, BEFORE it is compared and outside the operation's transaction: a rollback must
 * not undo the try, and of twenty concurrent ones only five are compared. Each true permits one `consumeOtp`. Refuses
 * `too_many_requests` after too many tries over several codes.
 *
 * @returns false if there is no live code or it was tried five times: the caller refuses `wrong_otp`
 */
export async function claimOtpTry(
  db: Db,
  tried: { readonly memberId: bigint; readonly purpose: OperationPurpose; readonly now: Date },
): Promise<boolean> {
  assert(!db.isTransaction, 'a try counts even if the operation rolls back');
  await countAttempt(db, 'operation_otp', tried.memberId.toString(), tried.now);
  // Its own statement: concurrent tries wait for the row and see each other's count.
  return hasRow(db)`
    update identity.otp set tries = tries + 1
    where member_id = ${tried.memberId} and purpose = ${tried.purpose}
      and expires_at > ${tried.now} and tries < ${otpRules.tries}
    returning id`;
}

/**
 * Consumes an operation's code in the operation's transaction: a rollback restores it. False if it is wrong, expired,
 * used, replaced by a newer one, or was issued for other `details`.
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
  assert(tx.isTransaction, 'a code is consumed in the transaction of its operation');
  const live = await lockOtp(tx, tried.memberId, tried.purpose, tried.now);
  if (live === undefined) return false;
  if (!isCodeOf(await listServerKeys(tx, 'otp'), live, tried)) return false;
  await deleteOtp(tx, live.id);
  await clearAttempts(tx, 'operation_otp', tried.memberId.toString());
  return true;
}

/** Uses the key version that the code was hashed with, so a code survives key rotation. */
function isCodeOf(keys: ServerKeys, row: LiveOtp, tried: Binding & { readonly otp: string }): boolean {
  const key = keys.get(row.keyVersion);
  assert(key !== undefined, 'a key that a code names is not retired');
  return timingSafeEqual(row.codeHash, hashOtp(key, tried, row.memberId, tried.otp));
}

/** Emailed codes, which expire after ten minutes. */
export const otpKeyUse: KeyUse = { name: 'otp', countRows: countOtpKeys };

/** The first three fields cannot contain the separator, so no two bindings have the same input. */
function hashOtp(key: Buffer, binding: Binding, memberId: bigint, code: string): Buffer {
  return createHmac('sha256', key).update(`${binding.purpose}\n${memberId}\n${code}\n${binding.details}`).digest();
}

type LiveOtp = { id: bigint; memberId: bigint; codeHash: Buffer; keyVersion: number };

const otpColumns = sql`id, member_id as "memberId", code_hash as "codeHash", key_version as "keyVersion"`;

/** Codes that may still be tried, locked in id order: concurrent tries are serialized. */
const lockLiveOtps = (
  tx: Tx,
  of: {
    readonly memberIds: readonly bigint[];
    readonly purpose: OtpPurpose;
    readonly requestHash: Buffer;
    readonly now: Date;
  },
) =>
  listRows(tx)<LiveOtp>`
    select ${otpColumns} from identity.otp
    where member_id = any(${of.memberIds}::bigint[]) and purpose = ${of.purpose} and request_hash = ${of.requestHash}
      and expires_at > ${of.now} and tries < ${otpRules.tries}
    order by id for update`;

/** The live code of one account, locked, regardless of its tries. */
const lockOtp = (tx: Tx, memberId: bigint, purpose: OtpPurpose, now: Date) =>
  findRow(tx)<LiveOtp>`
    select ${otpColumns} from identity.otp
    where member_id = ${memberId} and purpose = ${purpose} and expires_at > ${now} for update`;

/** When the current code may be replaced. */
export const findResendAt = (tx: Tx, memberId: bigint, purpose: string) =>
  findValue(tx)<Date>`
    select resend_at as "resendAt" from identity.otp where member_id = ${memberId} and purpose = ${purpose}`;

const deleteOtp = (tx: Tx, id: bigint) => execute(tx)`delete from identity.otp where id = ${id}`;

/** Number of codes by key version. */
async function countOtpKeys(db: Db): Promise<Map<number, number>> {
  const rows = await listRows(db)<{ version: number; count: number }>`
    select key_version as version, count(*)::int as count from identity.otp group by key_version`;
  return new Map(rows.map(({ version, count }) => [version, count]));
}
