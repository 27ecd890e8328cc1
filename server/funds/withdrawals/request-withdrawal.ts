import type { BodyOf } from '#contract/endpoint.ts';
import type { Withdrawal, withdrawals } from '#contract/funds/withdrawals.ts';
import { toMicros } from '#contract/money.ts';
import { claimOtpTry, useOtp } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { findReply, type Once, refuseOnce, runOnce } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { withdrawalOperation } from '../core/operation-details.ts';
import { admitWithdrawal } from './admit-withdrawal.ts';
import { checkWithdrawal } from './check-withdrawal.ts';
import { holdWithdrawal } from './hold-withdrawal.ts';
import { readWithdrawer } from './read-withdrawer.ts';
import { showWithdrawal } from './show-withdrawal.ts';

/**
 * Asks for a withdrawal (docs/product.md, section 5): checked, the code used and the amount held in one transaction, so
 * that a code that was used without a withdrawal, or a withdrawal without its hold, cannot be. What is refused before
 * costs no try at the code; a try is counted on its own, so that what rolls back was still a try.
 *
 * A repeated `Idempotency-Key` is answered before anything is checked: a refusal found before the transaction is
 * thrown only when the key is new.
 *
 * @param networkAddress where the request came from, for the audit log
 * @throws Refused in this order: account_frozen, withdrawals_frozen, not_verified, address_missing, withdrawal_waiting,
 * withdrawal_out_of_limits, withdrawal_day_limit, insufficient_funds, wrong_otp
 */
export async function requestWithdrawal(
  context: Context,
  memberId: bigint,
  input: BodyOf<typeof withdrawals.requestWithdrawal>,
  once?: Once,
  networkAddress?: string,
): Promise<Withdrawal> {
  const { db } = context;
  const answered = once && (await findReply(db, once));
  if (answered) return answered.reply as Withdrawal;

  const order = { memberId, amountMicros: toMicros(input.amount), wallet: input.wallet_type };
  const { refusal } = await checkWithdrawal(db, context, await readWithdrawer(db, memberId), order);
  if (refusal !== undefined) return refuseOnce(db, once, new Refused(refusal));
  const attempt = { memberId, purpose: 'withdrawal', now: context.now() } as const;
  if (!(await claimOtpTry(db, attempt))) return refuseOnce(db, once, new Refused('wrong_otp'));

  return runOnce(db, once, async (tx) => {
    const row = await admitWithdrawal(tx, context, order);
    const { details } = withdrawalOperation({ ...order, network: row.network, address: row.address });
    if (!(await useOtp(tx, { ...attempt, details, otp: input.otp }))) throw new Refused('wrong_otp');
    await holdWithdrawal(tx, context, row, networkAddress);
    return showWithdrawal(row);
  });
}
