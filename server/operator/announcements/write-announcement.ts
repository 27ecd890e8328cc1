import type { BodyOf } from '#contract/endpoint.ts';
import type { announcementDesk, DeskAnnouncement } from '#contract/operator/announcements.ts';
import { actingAs, type Decider } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { insertAnnouncement } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { showAnnouncement } from './list-announcements.ts';

/**
 * Tells all members something, for a while (docs/product.md, section 10). It cannot be changed afterwards, only ended.
 * Its period is real time; what should have begun already begins now, so that nothing is dated before it was written.
 *
 * Refuses `period_turned`, `period_over`.
 */
export async function writeAnnouncement(
  context: Context,
  decider: Decider,
  { title, text, from, to }: BodyOf<typeof announcementDesk.writeAnnouncement>,
): Promise<DeskAnnouncement> {
  const now = context.now();
  const asked = from === undefined ? now : new Date(from);
  const endsAt = new Date(to);
  if (endsAt <= asked) throw new Refused('period_turned');
  if (endsAt <= now) throw new Refused('period_over');
  const beginsAt = asked < now ? now : asked;
  const row = await inTransaction(context.db, async (tx) => {
    const written = await insertAnnouncement(tx, {
      title,
      text,
      beginsAt,
      endsAt,
      operatorId: decider.operatorId,
      writtenAt: now,
    });
    await writeAudit(tx, {
      ...actingAs(decider),
      action: 'announcement.write',
      subject: `announcement:${written.id}`,
      after: { title, text, beginsAt, endsAt },
    });
    return written;
  });
  return showAnnouncement(context, row);
}
