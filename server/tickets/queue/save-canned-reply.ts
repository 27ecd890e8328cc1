import type { CannedReply } from '#contract/tickets/tickets.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { findCannedReply, lockCannedReplies, upsertCannedReply } from './canned-reply-sql.ts';
import type { Colleague } from './change-ticket.ts';
import { showCannedReply } from './list-canned-replies.ts';

/** Writes a canned reply, or changes the one of the same title. */
export function saveCannedReply(
  context: Context,
  { operatorId, address }: Colleague,
  { title, text }: { readonly title: string; readonly text: string },
): Promise<CannedReply> {
  return inTransaction(context.db, async (tx) => {
    await lockCannedReplies(tx);
    const before = await findCannedReply(tx, title);
    const after = await upsertCannedReply(tx, { title, text, operatorId, now: context.now() });
    await writeAudit(tx, {
      actor: { kind: 'operator', id: operatorId },
      address,
      action: 'canned_reply.save',
      subject: `canned_reply:${after.id}`,
      ...(before === undefined ? {} : { before: { title, text: before.text } }),
      after: { title, text },
    });
    return showCannedReply(after);
  });
}
