import { endpoints } from '#contract/index.ts';
import type { OperatorCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { asDownload, mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { deleteCannedReply, listCannedReplies, saveCannedReply } from './queue/canned-replies.ts';
import {
  assignTicket,
  type Colleague,
  closeAsOperator,
  listTicketReaders,
  replyAsOperator,
} from './queue/change-ticket.ts';
import { getOperatorAttachment, getOperatorTicket } from './queue/get-queued-ticket.ts';
import { listOperatorTickets } from './queue/list-queue.ts';

export function mountOperatorTickets(http: Http, context: Context): void {
  mount(http, endpoints.operatorTickets, {
    listOperatorTickets: ({ caller, query }) => listOperatorTickets(context, caller.operatorId, query),
    getOperatorTicket: (call) => getOperatorTicket(context, colleagueOf(call), BigInt(call.params.id)),
    assignTicket: (call) => {
      const to = call.body.operator_id === null ? null : BigInt(call.body.operator_id);
      return assignTicket(context, colleagueOf(call), { ...seenIn(call), to });
    },
    replyAsOperator: (call) =>
      replyAsOperator(context, colleagueOf(call), { ...call.body, ticketId: BigInt(call.params.id) }, call.once),
    closeAsOperator: (call) => closeAsOperator(context, colleagueOf(call), seenIn(call)),
    getOperatorAttachment: async (call) => {
      const { name, content } = await getOperatorAttachment(context, colleagueOf(call), BigInt(call.params.id));
      return asDownload(name, content);
    },
    listTicketReaders: () => listTicketReaders(context),
    listCannedReplies: () => listCannedReplies(context),
    saveCannedReply: (call) => saveCannedReply(context, colleagueOf(call), call.body),
    deleteCannedReply: (call) => deleteCannedReply(context, colleagueOf(call), BigInt(call.params.id)),
  });
}

const colleagueOf = ({
  caller,
  address,
}: {
  readonly caller: OperatorCaller;
  readonly address: string;
}): Colleague => ({
  operatorId: caller.operatorId,
  address,
});

const seenIn = ({ params, body }: { readonly params: { id: string }; readonly body: { version: number } }) => ({
  ticketId: BigInt(params.id),
  version: body.version,
});
