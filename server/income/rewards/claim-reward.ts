import assert from 'node:assert';
import type { Rank } from '#contract/fee-plan.ts';
import type { RewardRank } from '#contract/income.ts';
import type { Context } from '#server/context.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { getMarketTime } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { rankNumber } from '../core/rank.ts';
import { readPresent } from '../statement/read-present.ts';
import { showReached } from './list-rewards.ts';
import { payQueue } from './pay-waiting-rewards.ts';
import { findReward, insertClaim, lockRewardQueue } from './reward-sql.ts';

/**
 * Claims the reward of a rank (docs/product.md, section 6). Appends the claim to the queue and pays the queue at once:
 * with an empty queue and enough in the pool the reward is paid when this returns, otherwise it waits.
 *
 * @throws Refused reward_not_claimable when the rank was not reached, or its reward was claimed before
 */
export async function claimReward(
  context: Context,
  memberId: bigint,
  { rank }: { readonly rank: Rank },
  once?: Once,
): Promise<RewardRank> {
  const no = rankNumber(rank);
  return runOnce(context.db, once, async (tx) => {
    await lockRewardQueue(tx);
    // Read after the lock, so that claims are dated in queue order.
    const marketAt = await getMarketTime(tx);
    if (!(await insertClaim(tx, memberId, no, marketAt))) throw new Refused('reward_not_claimable');
    await payQueue(tx, marketAt);
    const reward = await findReward(tx, memberId, no);
    assert(reward, 'the claimed reward exists');
    const { plan } = await readPresent(tx, 'monthly');
    return showReached(tx, reward, plan);
  });
}
