import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { withdrawals } from '#contract/funds/withdrawals.ts';
import { toMicros } from '#contract/money.ts';
import { lockWithdrawer, sendEmailOtp, sendFirstFactorOtp, sendOperationOtp } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { isEmailDelayed } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { addressOperation, type ConfirmedOperation, withdrawalOperation } from '../core/withdrawal-rules.ts';
import { checkWithdrawal } from './request-withdrawal.ts';
import { readAddress, refuseFrozen } from './save-address.ts';

type SendOtp = typeof withdrawals.sendOtp;

/**
 * Emails a code bound to one operation. First checks the operation, with the same refusals: withdrawals as
 * `requestWithdrawal`, addresses as `updateAddress`, email addresses as `changeEmail`, a first second factor as
 * `startTotp`. While the mail server is down, the code waits in the outbox and the reply says that it is delayed.
 *
 * @param address IP address of the request, for the audit log
 */
export async function sendOtp(
  context: Context,
  memberId: bigint,
  query: QueryOf<SendOtp>,
  address?: string,
): Promise<DataOf<SendOtp>> {
  const now = context.now();
  const sent = await inTransaction(context.db, async (tx) => {
    if (query.purpose === 'email') {
      return sendEmailOtp(tx, context.config.brandName, { memberId, email: query.email, now, address });
    }
    if (query.purpose === 'second_factor') return sendFirstFactorOtp(tx, { memberId, now, address });
    const operation = await readOperation(tx, context, memberId, query);
    return sendOperationOtp(tx, { memberId, purpose: query.purpose, ...operation, now, address });
  });
  return {
    sent_to: sent.sentTo,
    expires_at: sent.expiresAt.toISOString(),
    resend_at: sent.resendAt.toISOString(),
    delayed: await isEmailDelayed(context.db, now),
  };
}

async function readOperation(
  tx: Tx,
  context: Context,
  memberId: bigint,
  query: Extract<QueryOf<SendOtp>, { purpose: 'withdrawal' | 'address' }>,
): Promise<ConfirmedOperation> {
  if (query.purpose === 'address') {
    const payTo = readAddress(context, query);
    await refuseFrozen(tx, memberId, await lockWithdrawer(tx, memberId));
    return addressOperation(payTo);
  }
  const order = { memberId, amountMicros: toMicros(query.amount), wallet: query.wallet_type };
  const checked = await checkWithdrawal(tx, context, await lockWithdrawer(tx, memberId), order);
  if (checked.refusal !== undefined) throw new Refused(checked.refusal);
  const { network, address } = checked.address;
  return withdrawalOperation({ ...order, network, address });
}
