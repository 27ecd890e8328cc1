import assert from 'node:assert';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { otpRules } from '#contract/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { KeyUse } from '../rotate-server-keys.ts';
import { makeOtp } from '../secrets.ts';
import { getServerKey, listServerKeys, type ServerKeys } from '../server-key.ts';
import { countAttempt, forgetAttempts } from '../sign-in/attempts.ts';
import {
  addTries,
  claimTry,
  countOtpKeys,
  deleteOtp,
  type LiveOtp,
  lockLiveOtps,
  lockOtp,
  upsertOtp,
} from './otp-sql.ts';

/** What a signed-in member confirms by an emailed code. */
export type OperationPurpose = 'withdrawal' | 'address' | 'email' | 'old_email';

/** What a code is good for. A code for one purpose opens nothing else. */
export type OtpPurpose = 'reset_password' | OperationPurpose;

type Binding = {
  readonly purpose: OtpPurpose;
  /** What exactly is confirmed, amount and address for one; '' where the purpose says it all. */
  readonly details: string;
  /** Of the reset it is for: a code works, and is tried, only where its request was made. */
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
  return (await upsertOtp(tx, {
    memberId,
    purpose,
    requestHash,
    codeHash,
    keyVersion: key.version,
    resendAt,
    expiresAt,
    now,
  }))
    ? code
    : undefined;
}

/**
 * Uses a code up. Returns the one of the given accounts whose code it is, or undefined after counting a try against
 * the live code of each. The caller must let the transaction commit either way, or the try is not counted.
 */
export async function spendOtp(
  tx: Tx,
  tried: Binding & { readonly memberIds: readonly bigint[]; readonly otp: string; readonly now: Date },
): Promise<bigint | undefined> {
  const live = await lockLiveOtps(tx, { requestHash: NO_REQUEST, ...tried }, otpRules.tries, tried.now);
  // After the codes: what they name is there by now.
  const keys = await listServerKeys(tx, 'otp');
  const right = live.find((row) => isCodeOf(keys, row, tried));
  if (right === undefined) {
    await addTries(
      tx,
      live.map((row) => row.id),
    );
    return undefined;
  }
  await deleteOtp(tx, right.id);
  return right.memberId;
}

/**
 * Counts one try at the code of an operation, BEFORE anything is compared and outside of the operation's transaction:
 * what that rolls back was still a try, and of twenty at once five are looked at. Each true is worth one `useOtp`.
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
  return claimTry(db, { ...tried, mostTries: otpRules.tries });
}

/**
 * Uses the code of an operation up, in the transaction of the operation: rolled back, it is still there. False when it
 * is wrong, too old, used, replaced by a newer one, or was emailed for anything but exactly `details`.
 */
export async function useOtp(
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
  await forgetAttempts(tx, 'operation_otp', tried.memberId.toString());
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
