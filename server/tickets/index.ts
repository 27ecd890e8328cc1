/** Tickets: members' questions and support's answers (docs/product.md, section 9). */

export { createTicket } from './create-ticket.ts';
export { exportTickets } from './export-sql.ts';
export { mountOperatorTickets } from './operator-routes.ts';
export { replyAsOperator } from './queue/change-ticket.ts';
export { listTicketsOfMember } from './queue/list-queue.ts';
export { sumOpenTickets } from './queue/ticket-readers.ts';
export { getTicketThread, markTicketRead } from './read-tickets.ts';
export { closeMemberTickets, closeTicket, replyToTicket } from './reply-to-ticket.ts';
export { mountSupport } from './routes.ts';
export { findTicketOwner } from './ticket-sql.ts';
