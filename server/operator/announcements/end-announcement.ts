import type { DeskAnnouncement } from '#contract/operator/announcements.ts';
import { actingAs, type Decider } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { lockAnnouncement, updateEnded } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { showAnnouncement, stateOf } from './list-announcements.ts';

/**
 * Ends an announcement before its time: from now on no member is shown it.
 *
 * Refuses `announcement_not_found`, `announcement_over`.
 */
export async function endAnnouncement(context: Context, decider: Decider, id: bigint): Promise<DeskAnnouncement> {
  const now = context.now();
  const row = await inTransaction(context.db, async (tx) => {
    const found = await lockAnnouncement(tx, id);
    if (found === undefined) throw new Refused('announcement_not_found');
    const state = stateOf(found, now);
    if (state === 'over' || state === 'ended') throw new Refused('announcement_over');
    await writeAudit(tx, {
      ...actingAs(decider),
      action: 'announcement.end',
      subject: `announcement:${id}`,
      before: { state, endsAt: found.ends_at },
      after: { state: 'ended' },
    });
    return updateEnded(tx, id, decider.operatorId, now);
  });
  return showAnnouncement(context, row);
}
