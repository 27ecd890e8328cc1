import { lockWithdrawer } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { insertUnderNewReference } from '#server/make-reference.ts';
import { Refused } from '#server/refused.ts';
import { dayLimitMicros, utcDayOf } from '../core/withdrawal-rules.ts';
import { checkWithdrawal, type WithdrawalOrder } from './check-withdrawal.ts';
import { addToDay } from './withdrawal-day-sql.ts';
import { insertWithdrawal, type WithdrawalRow } from './withdrawal-sql.ts';

/**
 * The first half of a request, under its locks: member, then the sum of the day, then the row, with the fee of this
 * moment and the address in force. `holdWithdrawal` is the second; both belong into one transaction, and between them
 * the code is used.
 *
 * @throws Refused the bars of `withdrawalBars` in their order, withdrawal_out_of_limits, withdrawal_day_limit,
 * insufficient_funds
 */
export async function admitWithdrawal(tx: Tx, context: Context, order: WithdrawalOrder): Promise<WithdrawalRow> {
  const { memberId, amountMicros, wallet } = order;
  const withdrawer = await lockWithdrawer(tx, memberId);
  const checked = await checkWithdrawal(tx, context, withdrawer, order);
  if (checked.refusal !== undefined) throw new Refused(checked.refusal);

  const now = context.now();
  const requestedOn = utcDayOf(now);
  const dayMicros = await addToDay(tx, { memberId, day: requestedOn, amountMicros, limitMicros: dayLimitMicros });
  if (dayMicros === undefined) throw new Refused('withdrawal_day_limit');
  const { address, feeMicros, feePlanId } = checked;
  const payTo = { network: address.network, address: address.address };
  const draft = { memberId, wallet, amountMicros, feeMicros, feePlanId, ...payTo, requestedOn, now };
  return insertUnderNewReference('withdrawal', (reference) => insertWithdrawal(tx, { ...draft, reference }));
}
