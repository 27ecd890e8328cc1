import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { asDownload, mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { createTicket } from './create-ticket.ts';
import { getAttachment, getTicketThread, listTickets, markTicketRead } from './read-tickets.ts';
import { closeTicket, replyToTicket } from './reply-to-ticket.ts';

export function mountSupport(http: Http, context: Context): void {
  mount(http, endpoints.support, {
    createTicket: ({ caller, body, once }) => createTicket(context, caller.memberId, body, once),
    replyToTicket: ({ caller, body, once }) => replyToTicket(context, caller.memberId, body, once),
    listTickets: ({ caller, query }) => listTickets(context, caller.memberId, query),
    getTicketThread: ({ caller, query }) => getTicketThread(context, caller.memberId, BigInt(query.ticketId)),
    markTicketRead: ({ caller, body }) =>
      markTicketRead(context, caller.memberId, { ticketId: BigInt(body.ticketId), upTo: BigInt(body.up_to) }),
    closeTicket: ({ caller, body }) => closeTicket(context, caller.memberId, BigInt(body.ticketId)),
    getAttachment: async ({ caller, params }) => {
      const { name, content } = await getAttachment(context, caller.memberId, params.id);
      return asDownload(name, content);
    },
  });
}
