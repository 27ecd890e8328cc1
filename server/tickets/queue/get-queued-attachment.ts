import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { type Download, findDownload } from '../attachment-sql.ts';
import type { Colleague } from './change-ticket.ts';

/**
 * A file of any ticket. It may be somebody's passport, so the audit log says who took it.
 *
 * Refuses `attachment_not_found`.
 */
export function getDeskAttachment({ db }: Context, colleague: Colleague, id: bigint): Promise<Download> {
  return inTransaction(db, async (tx) => {
    const download = await findDownload(tx, id);
    if (download === undefined) throw new Refused('attachment_not_found');
    await writeAudit(tx, {
      actor: { kind: 'operator', id: colleague.operatorId },
      address: colleague.address,
      action: 'ticket.download',
      subject: `ticket:${download.ticket_id}`,
      after: { attachment_id: id },
    });
    return download;
  });
}
