/** Tickets: what members ask, and what the people who run the product answer (docs/product.md, section 9). */
export { closeMemberTickets, closeTicket } from './close-ticket.ts';
export { createTicket } from './create-ticket.ts';
export { exportTickets } from './export-sql.ts';
export { mountSupportDesk } from './operator-routes.ts';
export { replyFromDesk } from './queue/answer-ticket.ts';
export { closeFromDesk } from './queue/change-ticket.ts';
export { listTicketsOfMember } from './queue/list-queue.ts';
export { getTicketThread, markTicketRead } from './read-tickets.ts';
export { replyToTicket } from './reply-to-ticket.ts';
export { mountSupport } from './routes.ts';
export { findTicketOwner, sumOpenTickets } from './ticket-sql.ts';
