import { endpoints } from '#contract/index.ts';
import { actorOf } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { asDownload, mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { deleteCannedReply, listCannedReplies, saveCannedReply } from './queue/canned-replies.ts';
import { assignTicket, closeAsOperator, listTicketReaders, replyAsOperator } from './queue/change-ticket.ts';
import { getOperatorAttachment, getOperatorTicket } from './queue/get-queued-ticket.ts';
import { listOperatorTickets } from './queue/list-queue.ts';

export function mountOperatorTickets(http: Http, context: Context): void {
  mount(http, endpoints.operatorTickets, {
    listOperatorTickets: ({ caller, query }) => listOperatorTickets(context, caller.operatorId, query),
    getOperatorTicket: (call) => getOperatorTicket(context, actorOf(call), call.params.id),
    assignTicket: (call) => {
      const to = call.body.operator_id === null ? null : BigInt(call.body.operator_id);
      return assignTicket(context, actorOf(call), { ...seenIn(call), to });
    },
    replyAsOperator: (call) =>
      replyAsOperator(context, actorOf(call), { ...call.body, ticketId: call.params.id }, call.once),
    closeAsOperator: (call) => closeAsOperator(context, actorOf(call), seenIn(call)),
    getOperatorAttachment: async (call) => {
      const { name, content } = await getOperatorAttachment(context, actorOf(call), call.params.id);
      return asDownload(name, content);
    },
    listTicketReaders: () => listTicketReaders(context),
    listCannedReplies: () => listCannedReplies(context),
    saveCannedReply: (call) => saveCannedReply(context, actorOf(call), call.body),
    deleteCannedReply: (call) => deleteCannedReply(context, actorOf(call), call.params.id),
  });
}

const seenIn = ({ params, body }: { readonly params: { id: bigint }; readonly body: { version: number } }) => ({
  ticketId: params.id,
  version: body.version,
});
