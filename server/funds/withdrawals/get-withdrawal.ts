import type { WithdrawalDetail } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { showWithdrawalDetail } from './show-withdrawal.ts';
import { findMemberWithdrawal } from './withdrawal-sql.ts';
import { listSteps } from './withdrawal-step-sql.ts';

/** One withdrawal of the member with its steps; another member's is as unknown as one that does not exist. */
export async function getWithdrawal({ db }: Context, memberId: bigint, id: bigint): Promise<WithdrawalDetail> {
  const row = await findMemberWithdrawal(db, memberId, id);
  if (row === undefined) throw new Refused('withdrawal_not_found');
  return showWithdrawalDetail(row, await listSteps(db, [id]));
}
