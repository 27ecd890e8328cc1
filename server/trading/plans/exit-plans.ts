import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import type { Moment } from '../session/market-moment.ts';
import { lockFollower } from '../session/session-sql.ts';
import type { StoredDecision } from './decision-sql.ts';
import { requestedAt } from './place-plan-trades.ts';
import { findOpenPlanChunk, requestExits } from './plan-trade-sql.ts';

/** Asks for the sale of what plans have open, where their strategy says so; the first tick from the boundary on fills it. */
export async function exitPlans(
  context: Context,
  { session, chunkSize }: Moment,
  at: Date,
  decisions: readonly StoredDecision[],
): Promise<void> {
  const exiting = decisions.filter((decision) => decision.action === 'exit');
  if (exiting.length === 0) return;
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const upTo: bigint | undefined = await findOpenPlanChunk(context.db, after, chunkSize);
    if (upTo === undefined) return;
    const chunk = { after, upTo };
    await inTransaction(context.db, async (tx) => {
      if (await lockFollower(tx, session)) await requestExits(tx, chunk, exiting, requestedAt(at));
    });
    after = upTo;
  }
}
