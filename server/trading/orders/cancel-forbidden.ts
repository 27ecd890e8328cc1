import { listFrozenMembers } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Moment } from '../session/market-moment.ts';
import { cancelQueued } from '../session/open-due-trades.ts';
import { hasQueuedTrades } from '../session/opening-sql.ts';
import { listLimitedMembers } from './limited-members.ts';

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
