import type { Deposit } from '#contract/funds/deposits.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { showDeposit } from './show-deposit.ts';
import { findMemberDeposit } from './sql.ts';

/** One deposit of the member; another member's is as unknown as one that does not exist. */
export async function getDeposit(context: Context, memberId: bigint, id: bigint): Promise<Deposit> {
  const row = await findMemberDeposit(context.db, memberId, id);
  if (row === undefined) throw new Refused('deposit_not_found');
  return showDeposit(row);
}
