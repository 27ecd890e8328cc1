import type { Context } from '#server/context.ts';
import { listFrozenMembers } from '#server/identity/index.ts';
import { listLimitedMembers } from './limited-members.ts';
import type { Moment } from './market-moment.ts';
import { cancelQueued } from './open-due-trades.ts';
import { hasQueuedTrades } from './opening-sql.ts';

/** Queued trades of an asset that is switched off, of frozen members and of those whose own limit forbids it: all back. */
export async function cancelForbidden(
  context: Context,
  moment: Moment,
  inactiveSymbols: readonly string[],
): Promise<void> {
  if (!(await hasQueuedTrades(context.db))) return;
  const [frozenMemberIds, limitedMemberIds] = await Promise.all([
    listFrozenMembers(context.db),
    listLimitedMembers(context, moment.session.day),
  ]);
  await cancelQueued(context, moment, {
    inactiveSymbols,
    frozenMemberIds,
    limitedMemberIds,
    haltedBefore: undefined,
    planDecidedBefore: undefined,
    venueDownBefore: undefined,
  });
}
