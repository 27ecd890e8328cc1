import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { withdrawals } from '#contract/funds/withdrawals.ts';
import { toMicros } from '#contract/money.ts';
import { lockWithdrawer, sendEmailOtp, sendOperationOtp } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { isMailDelayed } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { addressOperation, type ConfirmedOperation, withdrawalOperation } from '../core/withdrawal-rules.ts';
import { checkWithdrawal } from './request-withdrawal.ts';
import { readAddress } from './save-address.ts';
import { refuseFrozen } from './update-address.ts';

type SendOtp = typeof withdrawals.sendOtp;

/**
 * Mails a code for exactly one operation. What would be refused anyway is refused here already, with the same reasons,
 * before a code goes out: withdrawals as `requestWithdrawal` refuses them, addresses as `updateAddress`, mail addresses as `changeEmail`. Sent while the
 * mail server is away, the code waits in the outbox and the reply says that it will come late.
 *
 * @param networkAddress where the request came from, for the audit log
 */
export async function sendOtp(
  context: Context,
  memberId: bigint,
  query: QueryOf<SendOtp>,
  networkAddress?: string,
): Promise<DataOf<SendOtp>> {
  const now = context.now();
  const sent = await inTransaction(context.db, async (tx) => {
    const from = networkAddress === undefined ? {} : { address: networkAddress };
    if (query.purpose === 'email') {
      return sendEmailOtp(tx, context.config.brandName, { memberId, email: query.email, now, ...from });
    }
    const operation = await readOperation(tx, context, memberId, query);
    return sendOperationOtp(tx, { memberId, purpose: query.purpose, ...operation, now, ...from });
  });
  return {
    sent_to: sent.sentTo,
    expires_at: sent.expiresAt.toISOString(),
    resend_at: sent.resendAt.toISOString(),
    delayed: await isMailDelayed(context.db, now),
  };
}

async function readOperation(
  tx: Tx,
  context: Context,
  memberId: bigint,
  query: Exclude<QueryOf<SendOtp>, { purpose: 'email' }>,
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
