import { english } from '#contract/texts.ts';
import type { PlanStateReason } from '#contract/trading/plan.ts';
import type { Context } from '#server/context.ts';
import { inBatchTransaction } from '#server/db/tx.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { minimumMicros } from '../core/placing.ts';
import { depthSince } from '../limits/limit-sql.ts';
import { skippedMessage } from '../limits/skipped-message.ts';
import type { SessionSnapshot } from '../session/session-sql.ts';
import { lockFollower } from '../session/session-sql.ts';
import type { StoredDecision } from './decision-sql.ts';
import {
  type Entering,
  findOpenPlanChunk,
  findPlanChunk,
  lockPlans,
  type Placing,
  placeForPlans,
  requestExits,
} from './plan-trade-sql.ts';

/** Dates a decision just before its boundary, so that a tick at the boundary is the first after it. */
export const requestedAt = (boundary: Date): Date => new Date(boundary.getTime() - 1);

/**
 * Places a trade with all cash of each active plan whose strategy enters. At the opening a plan is paused when its
 * asset is inactive, its member's self-imposed limit forbids trading, or it fell below its minimum. Plans of frozen
 * members and plans over the limits of their asset skip the session. After a stop or a manual close a plan rests for
 * the session.
 */
export async function placePlanTrades(
  context: Context,
  snapshot: SessionSnapshot,
  at: Date,
  { entering, ...forbidden }: Entering,
): Promise<void> {
  const { session, chunkSize } = snapshot;
  const isOpening = at.getTime() === session.opensAt.getTime();
  if (!isOpening && entering.length === 0) return;
  const placing: Placing = {
    ...forbidden,
    entering,
    day: session.day,
    opensAt: session.opensAt,
    requestedAt: requestedAt(at),
    placedAt: context.now(),
    isOpening,
    depthSince: depthSince(context),
    minimumMicros: { primary: minimumMicros('primary'), profit: minimumMicros('profit') },
  };
  const wanted = isOpening ? undefined : entering;
  const next = (after: bigint) => findPlanChunk(context.db, after, chunkSize, wanted);
  for (let chunk = await next(0n); chunk !== undefined; chunk = await next(chunk.upTo)) {
    const plans = chunk;
    await inBatchTransaction(context.db, async (tx) => {
      if (!(await lockFollower(tx, session))) return;
      const paused = await placeForPlans(tx, await lockPlans(tx, plans, wanted), placing);
      await notifyMembers(
        tx,
        paused.map(({ memberId, symbol, reason }) => {
          const skips = reason === 'over_asset_limit';
          return {
            memberId: BigInt(memberId),
            kind: skips ? 'plan_skipped' : 'plan_paused',
            message: pausedMessage(symbol, reason),
          };
        }),
      );
    });
  }
}

/** `pausedMessage('btc', 'minimum')`: "Your BTC/USDT plan is paused: its balance is below the minimum." */
function pausedMessage(symbol: string, reason: Exclude<PlanStateReason, 'member'>): string {
  const pair = `${symbol.toUpperCase()}/USDT`;
  if (reason === 'over_asset_limit') return skippedMessage(symbol);
  if (reason === 'minimum') return english.t`Your ${pair} plan is paused: its balance is below the minimum.`;
  if (reason === 'own_limit')
    return english.t`Your ${pair} plan is paused: your daily loss limit or a pause stops trading.`;
  return english.t`Your ${pair} plan is paused: trading in this asset is switched off.`;
}

/** Requests the sale of plans' open trades whose strategy exits; the first tick from the boundary on fills it. */
export async function exitPlans(
  context: Context,
  { session, chunkSize }: SessionSnapshot,
  at: Date,
  decisions: readonly StoredDecision[],
): Promise<void> {
  const exiting = decisions.filter((decision) => decision.action === 'exit');
  if (exiting.length === 0) return;
  const next = (after: bigint) => findOpenPlanChunk(context.db, after, chunkSize);
  for (let chunk = await next(0n); chunk !== undefined; chunk = await next(chunk.upTo)) {
    const plans = chunk;
    await inBatchTransaction(context.db, async (tx) => {
      if (await lockFollower(tx, session)) await requestExits(tx, plans, exiting, requestedAt(at));
    });
  }
}
