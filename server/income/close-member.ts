import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { giveUpRewards, holdRuns, insertClosedMember } from './bonus/closed-member-sql.ts';
import { lockRewardDesk } from './rewards/reward-sql.ts';

/**
 * A step of closing an account (docs/product.md, section 8): from the next session on its incomes are the house's, and
 * rewards that were not paid are given up. Comes before the accounts are held, as runs and claims hold them last.
 * Refusal: `closing_incomes` while a run is under way, which pays everybody by the same state of things.
 */
export async function closeMemberIncomes(tx: Tx, memberId: bigint): Promise<void> {
  if (await holdRuns(tx)) throw new Refused('closing_incomes');
  await lockRewardDesk(tx);
  await giveUpRewards(tx, memberId);
  await insertClosedMember(tx, memberId);
}
