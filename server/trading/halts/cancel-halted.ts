import type { Context } from '#server/context.ts';
import type { Moment } from '../session/market-moment.ts';
import { cancelQueued } from '../session/open-due-trades.ts';
import { hasQueuedTrades } from '../session/opening-sql.ts';

/**
 * Gives back what is queued when trading halts, and what slipped through while it stood; dated by the halt, so that it is the
 * same however late the market is followed.
 */
export async function cancelHalted(
  context: Context,
  moment: Moment,
  halt: { readonly at: Date; readonly requestedBefore: Date },
): Promise<void> {
  if (!(await hasQueuedTrades(context.db))) return;
  await cancelQueued(
    context,
    { ...moment, marketAt: halt.at },
    {
      inactiveSymbols: [],
      frozenMemberIds: [],
      limitedMemberIds: [],
      haltedBefore: halt.requestedBefore,
      planDecidedBefore: undefined,
      venueDownBefore: undefined,
    },
  );
}
