import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inBatchTransaction } from '#server/db/tx.ts';
import { getHouseBalance } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { rewardMessage } from '../core/messages.ts';
import { hasWaiting, listPayable, lockRewardQueue, payRewards } from './reward-sql.ts';

/** Rewards paid in one transaction. */
const CLAIMS_PER_BATCH = 4096;

/**
 * Pays queued claims in order, as far as the rewards pool suffices. The first one that it cannot pay in full stays at
 * the head and blocks those behind it (docs/product.md, section 6). Called when the pool was filled.
 */
export async function payWaitingRewards({ db }: Context): Promise<void> {
  for (let served = CLAIMS_PER_BATCH; served === CLAIMS_PER_BATCH; ) {
    served = await inBatchTransaction(db, async (tx) => {
      await lockRewardQueue(tx);
      return payQueue(tx, await getMarketTime(tx));
    });
  }
}

/** Requires a lock on the queue, so that nobody else spends from the pool. @returns the number of rewards paid */
export async function payQueue(tx: Tx, marketAt: Date): Promise<number> {
  // Usually the queue is empty, and the balance query sums all transfers since the last seal.
  if (!(await hasWaiting(tx))) return 0;
  const served = await listPayable(tx, await getHouseBalance(tx, 'pool_rewards'), CLAIMS_PER_BATCH);
  if (served.length === 0) return 0;
  await payRewards(tx, served, marketAt);
  await notifyMembers(
    tx,
    served.map(({ memberId, rank, nominal }) => ({
      memberId,
      kind: 'reward_paid',
      message: rewardMessage({ rank, paid: nominal }),
    })),
  );
  return served.length;
}
