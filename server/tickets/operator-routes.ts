import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { asDownload, mount, type OperatorCaller } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { replyFromDesk } from './queue/answer-ticket.ts';
import { deleteCannedReply, listCannedReplies, saveCannedReply } from './queue/canned-replies.ts';
import { assignTicket, type Colleague, closeFromDesk, listTicketReaders } from './queue/change-ticket.ts';
import { getDeskAttachment, getDeskTicket } from './queue/get-queued-ticket.ts';
import { listDeskTickets } from './queue/list-queue.ts';

/** The calls of the people who answer tickets. */
export function mountSupportDesk(http: Http, context: Context): void {
  mount(http, endpoints.supportDesk, {
    listDeskTickets: ({ caller, query }) => listDeskTickets(context, caller.operatorId, query),
    getDeskTicket: (call) => getDeskTicket(context, colleagueOf(call), BigInt(call.params.id)),
    assignTicket: (call) => {
      const to = call.body.operator_id === null ? null : BigInt(call.body.operator_id);
      return assignTicket(context, colleagueOf(call), { ...seenIn(call), to });
    },
    replyFromDesk: (call) =>
      replyFromDesk(context, colleagueOf(call), { ...call.body, ticketId: BigInt(call.params.id) }, call.once),
    closeFromDesk: (call) => closeFromDesk(context, colleagueOf(call), seenIn(call)),
    getDeskAttachment: async (call) => {
      const { name, content } = await getDeskAttachment(context, colleagueOf(call), BigInt(call.params.id));
      return asDownload(name, content);
    },
    listTicketReaders: () => listTicketReaders(context),
    listCannedReplies: () => listCannedReplies(context),
    saveCannedReply: (call) => saveCannedReply(context, colleagueOf(call), call.body),
    deleteCannedReply: async (call) => {
      await deleteCannedReply(context, colleagueOf(call), BigInt(call.params.id));
      return null;
    },
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
