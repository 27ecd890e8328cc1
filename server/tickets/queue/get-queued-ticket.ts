import type { DataOf } from '#contract/endpoint.ts';
import type { operatorTickets } from '#contract/tickets/tickets.ts';
import { actingAs, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { orRefuse } from '#server/refused.ts';
import { type Download, findDownload } from '../attachment-sql.ts';
import { markReadBySupport } from '../message-sql.ts';
import { readMessages } from '../read-tickets.ts';
import { showOperatorMessage } from '../show-ticket.ts';
import { findTicket } from '../ticket-sql.ts';
import { auditTicket } from './change-ticket.ts';
import { showOperatorTicket } from './list-queue.ts';

type OperatorThread = DataOf<typeof operatorTickets.getOperatorTicket>;

/**
 * One ticket with its messages and private notes. Marks the member's messages returned here as read; the audit log
 * records each operator who was the first to read some.
 *
 * Refuses `ticket_not_found`.
 */
export function getOperatorTicket({ db }: Context, actor: OperatorActor, id: bigint): Promise<OperatorThread> {
  return inTransaction(db, async (tx) => {
    const before = orRefuse(await findTicket(tx, id), 'ticket_not_found');
    const { messages, attachments, writers } = await readMessages(tx, before, true);
    const upTo = messages.findLast((message) => message.author === 'member')?.id ?? 0n;
    if (await markReadBySupport(tx, id, upTo)) {
      await auditTicket(tx, actor, { action: 'ticket.read', before, after: before, more: { up_to: upTo } });
    }
    const ticket = { ...before, support_read_id: upTo > before.support_read_id ? upTo : before.support_read_id };
    return {
      ticket: await showOperatorTicket(tx, before),
      messages: messages.map((message) => showOperatorMessage(message, attachments, ticket, writers)),
    };
  });
}

/**
 * An attachment of any ticket. It may be an identity document, so the audit log records who downloaded it.
 *
 * Refuses `attachment_not_found`.
 */
export function getOperatorAttachment({ db }: Context, actor: OperatorActor, id: bigint): Promise<Download> {
  return inTransaction(db, async (tx) => {
    const download = orRefuse(await findDownload(tx, id), 'attachment_not_found');
    await writeAudit(tx, {
      ...actingAs(actor),
      action: 'ticket.download',
      subject: `ticket:${download.ticket_id}`,
      after: { attachment_id: id },
    });
    return download;
  });
}
