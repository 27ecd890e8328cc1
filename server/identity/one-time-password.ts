import { createHmac, timingSafeEqual } from 'node:crypto';
import { otpRules } from '#contract/rules.ts';
import type { Tx } from '#server/db/connect.ts';
import { addTries, deleteOtp, lockLiveOtps, upsertOtp } from './otp-sql.ts';
import { makeOtp } from './secrets.ts';
import { getServerKey } from './server-key.ts';

/** What a code is good for. A code for one purpose opens nothing else. */
export type OtpPurpose = 'reset_password';

type Binding = {
  readonly purpose: OtpPurpose;
  /** What exactly is confirmed, amount and address for one; '' where the purpose says it all. */
  readonly details: string;
};

/**
 * Makes a code for one account, purpose and operation in place of the one before (product.md section 8). Undefined
 * while the one before may not be sent again.
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
  const codeHash = hashOtp(key, account, account.memberId, code);
  const { memberId, purpose, resendAt, expiresAt, now } = account;
  return (await upsertOtp(tx, { memberId, purpose, codeHash, resendAt, expiresAt, now })) ? code : undefined;
}

/**
 * Uses a code up. Returns the one of the given accounts whose code it is, or undefined after counting a try against
 * the live code of each. The caller must let the transaction commit either way, or the try is not counted.
 */
export async function spendOtp(
  tx: Tx,
  tried: Binding & { readonly memberIds: readonly bigint[]; readonly otp: string; readonly now: Date },
): Promise<bigint | undefined> {
  const key = await getServerKey(tx, 'otp', tried.now);
  const live = await lockLiveOtps(tx, tried.memberIds, tried.purpose, otpRules.tries, tried.now);
  const right = live.find((row) => timingSafeEqual(row.codeHash, hashOtp(key, tried, row.memberId, tried.otp)));
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

/** Fields are separated by what none of the first three can contain, so that no two bindings hash alike. */
function hashOtp(key: Buffer, binding: Binding, memberId: bigint, code: string): Buffer {
  return createHmac('sha256', key).update(`${binding.purpose}\n${memberId}\n${code}\n${binding.details}`).digest();
}
