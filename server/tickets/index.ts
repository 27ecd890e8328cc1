/** Tickets: what members ask, and what the people who run the product answer (docs/product.md, section 9). */
export { closeMemberTickets } from './close-member.ts';
export { closeTicket } from './close-ticket.ts';
export { createTicket } from './create-ticket.ts';
export { exportTickets } from './export-sql.ts';
export { mountSupportDesk } from './operator-routes.ts';
export { replyFromDesk } from './queue/answer-ticket.ts';
export { closeFromDesk } from './queue/close-as-operator.ts';
export { listTicketsOfMember } from './queue/list-queue.ts';
export { findTicketOwner, sumOpenTickets } from './queue/queue-sums-sql.ts';
export { getTicketThread, markTicketRead } from './read-tickets.ts';
export { replyToTicket } from './reply-to-ticket.ts';
export { mountSupport } from './routes.ts';
