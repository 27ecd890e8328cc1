import { MICROS_PER_DOLLAR } from '#contract/money.ts';
import { minimumTradeDollars, type WalletType } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { pausedMessage } from '../core/plans/plan-messages.ts';
import type { Moment } from '../session/market-moment.ts';
import { lockFollower } from '../session/session-sql.ts';
import type { PlanSetting } from './decision-sql.ts';
import { findPlanChunk, lockPlans, type Placing, placeForPlans } from './plan-trade-sql.ts';

/** A decision at a boundary belongs to what was before it, so that the tick of the boundary itself is the first after it. */
export const requestedAt = (boundary: Date): Date => new Date(boundary.getTime() - 1);

const minimumMicros = (wallet: WalletType): bigint => BigInt(minimumTradeDollars[wallet]) * MICROS_PER_DOLLAR;

export type Entering = {
  readonly entering: readonly PlanSetting[];
  readonly inactiveSymbols: readonly string[];
  readonly frozenMemberIds: readonly bigint[];
  readonly limitedMemberIds: readonly bigint[];
};

/**
 * Places a trade for every active plan whose strategy says so, with all that is in the plan. At the opening all plans are
 * looked at: one whose asset is off, whose member's own limit forbids it, or that fell under its minimum is paused with
 * that reason. Plans of frozen members skip. A plan rests for the rest of a session in which a stop was reached or its
 * member closed the trade. Exactly-once: a plan has one trade at a time, and one for each decision.
 */
export async function placePlanTrades(
  context: Context,
  moment: Moment,
  at: Date,
  { entering, ...forbidden }: Entering,
): Promise<void> {
  const { session, chunkSize } = moment;
  const isOpening = at.getTime() === session.opensAt.getTime();
  if (!isOpening && entering.length === 0) return;
  const placing: Placing = {
    ...forbidden,
    entering,
    day: session.day,
    opensAt: session.opensAt,
    requestedAt: requestedAt(at),
    placedAt: context.now(),
    minimumMicros: { primary: minimumMicros('primary'), profit: minimumMicros('profit') },
  };
  const wanted = isOpening ? undefined : entering;
  for (let after = 0n; ; ) {
    const upTo = await findPlanChunk(context.db, after, chunkSize, wanted);
    if (upTo === undefined) return;
    const chunk = { after, upTo };
    await inTransaction(context.db, async (tx) => {
      if (!(await lockFollower(tx, session))) return;
      const paused = await placeForPlans(tx, await lockPlans(tx, chunk, wanted), placing);
      await notifyMembers(
        tx,
        paused.map(({ memberId, symbol, reason }) => ({
          memberId: BigInt(memberId),
          kind: 'plan_paused',
          message: pausedMessage(symbol, reason),
        })),
      );
    });
    after = upTo;
  }
}
