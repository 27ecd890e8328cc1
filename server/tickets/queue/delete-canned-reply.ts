import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { deleteCannedReplyRow } from './canned-reply-sql.ts';
import type { Colleague } from './change-ticket.ts';

/** Refuses `not_found`. */
export async function deleteCannedReply({ db }: Context, colleague: Colleague, id: bigint): Promise<void> {
  await inTransaction(db, async (tx) => {
    const gone = await deleteCannedReplyRow(tx, id);
    if (gone === undefined) throw new Refused('not_found');
    await writeAudit(tx, {
      actor: { kind: 'operator', id: colleague.operatorId },
      address: colleague.address,
      action: 'canned_reply.delete',
      subject: `canned_reply:${id}`,
      before: { title: gone.title, text: gone.text },
    });
  });
}
