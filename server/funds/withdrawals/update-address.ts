import type { BodyOf } from '#contract/endpoint.ts';
import type { PayoutAddress, withdrawals } from '#contract/funds/withdrawals.ts';
import { claimOtpTry, lockWithdrawer, useOtp, type Withdrawer } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { addressOperation, usableFrom } from '../core/withdrawal-rules.ts';
import { readWithdrawer, showAddress } from './payout-address-sql.ts';
import { hasWithdrawalFreeze } from './payout-guard.ts';
import { readAddress, saveAddress } from './save-address.ts';

/**
 * Saves the payout address with a code that was mailed for exactly this network and address (docs/product.md,
 * section 5).
 *
 * @param networkAddress where the request came from, for the audit log
 * @throws Refused in this order: invalid_address, account_frozen, withdrawals_frozen, wrong_otp
 */
export async function updateAddress(
  context: Context,
  memberId: bigint,
  input: BodyOf<typeof withdrawals.updateAddress>,
  networkAddress?: string,
): Promise<PayoutAddress> {
  const { db } = context;
  const payTo = readAddress(context, input);
  await refuseFrozen(db, memberId, await readWithdrawer(db, memberId));
  const attempt = { memberId, purpose: 'address', now: context.now() } as const;
  if (!(await claimOtpTry(db, attempt))) throw new Refused('wrong_otp');

  return inTransaction(db, async (tx) => {
    const withdrawer = await lockWithdrawer(tx, memberId);
    await refuseFrozen(tx, memberId, withdrawer);
    const { details } = addressOperation(payTo);
    if (!(await useOtp(tx, { ...attempt, details, otp: input.otp }))) throw new Refused('wrong_otp');
    const from = networkAddress === undefined ? {} : { networkAddress };
    const saved = await saveAddress(tx, context, { memberId, ...payTo, ...from });
    return showAddress(saved, usableFrom(saved.saved_at, withdrawer.securityChangedAt));
  });
}

/** Somebody whose withdrawals are stopped cannot lay out a new way for them either. */
export async function refuseFrozen(db: Db, memberId: bigint, withdrawer: Withdrawer): Promise<void> {
  if (withdrawer.frozenAt !== null) throw new Refused('account_frozen');
  if (await hasWithdrawalFreeze(db, memberId)) throw new Refused('withdrawals_frozen');
}
