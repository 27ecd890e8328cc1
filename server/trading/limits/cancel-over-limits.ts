import type { Context } from '#server/context.ts';
import { inBatchTransaction, inTransaction } from '#server/db/tx.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { tradesOverLimits } from '../core/asset-limits.ts';
import { cancelAndNotify } from '../session/cancel-trades.ts';
import { lockQueued } from '../session/opening-sql.ts';
import { joinFollower, type SessionSnapshot } from '../session/session-sql.ts';
import {
  type AssetLimits,
  depthSince,
  listOpenOf,
  listPossiblyOver,
  listQueuedOf,
  recordSkipped,
  updateTaken,
} from './limit-sql.ts';
import { skippedMessage } from './skipped-message.ts';

/**
 * Cancels queued trades that no longer fit the limits of their assets (docs/product.md, section 3, "Position limits"),
 * because limits were lowered or the order book has become thinner. Placing enforces both, so most calls find nothing.
 * Plans whose trades are cancelled skip the session.
 */
export async function cancelOverLimits(context: Context, snapshot: SessionSnapshot): Promise<void> {
  for (const limits of await listPossiblyOver(context.db, depthSince(context)))
    await cancelOver(context, snapshot, limits);
}

async function cancelOver(context: Context, snapshot: SessionSnapshot, limits: AssetLimits): Promise<void> {
  const { db } = context;
  const { symbol } = limits;
  // Counted first: trades placed after this are known to fit.
  await inTransaction(db, (tx) => updateTaken(tx, symbol));
  const queued = await listQueuedOf(db, symbol);
  if (queued.length === 0) return;
  const open = new Map((await listOpenOf(db, symbol)).map(({ memberId, amount }) => [memberId, amount]));
  const over = tradesOverLimits({ ...limits, allMicros: limits.roomMicros }, open, queued);
  for (let from = 0; from < over.length; from += snapshot.chunkSize)
    await cancelChunk(context, snapshot, symbol, over.slice(from, from + snapshot.chunkSize));
}

function cancelChunk(
  context: Context,
  snapshot: SessionSnapshot,
  symbol: string,
  ids: readonly bigint[],
): Promise<void> {
  return inBatchTransaction(context.db, async (tx) => {
    if (!(await joinFollower(tx, snapshot.session))) return;
    const chunk = await lockQueued(tx, { after: 0n, upTo: 0n, ids: `{${ids.join(',')}}` });
    await cancelAndNotify(tx, chunk, { overLimitIds: ids }, snapshot.marketAt);
    // Only for trades cancelled here: another worker records its own.
    const memberIds = await recordSkipped(tx, chunk, context.now(), snapshot.marketAt);
    await notifyMembers(
      tx,
      memberIds.map((memberId) => ({ memberId, kind: 'plan_skipped', message: skippedMessage(symbol) })),
    );
  });
}
