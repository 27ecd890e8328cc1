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
 * Claims the reward of a rank (docs/product.md, section 6). The claim takes its place at the end of the line, and the
 * line is served at once: who finds it empty and enough in the pool has the money when this returns, anybody else
 * waits.
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
    // Whoever waited for the others is dated after them.
    const marketAt = await getMarketTime(tx);
    if (!(await insertClaim(tx, memberId, no, marketAt))) throw new Refused('reward_not_claimable');
    await payQueue(tx, marketAt);
    const reward = await findReward(tx, memberId, no);
    assert(reward, 'what was claimed is there');
    const { plan } = await readPresent(tx);
    return showReached(tx, reward, plan);
  });
}
