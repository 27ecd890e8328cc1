/** Tickets: what members ask, and what the people who run the product answer (product.md section 9). */
export { closeMemberTickets } from './close-member.ts';
export { closeTicket } from './close-ticket.ts';
export { createTicket } from './create-ticket.ts';
export { closeFromDesk } from './desk/close-from-desk.ts';
export { listTicketsOfMember } from './desk/list-member-tickets.ts';
export { findTicketOwner, sumOpenTickets } from './desk/queue-sums-sql.ts';
export { replyFromDesk } from './desk/reply-from-desk.ts';
export { mountSupportDesk } from './desk-routes.ts';
export { exportTickets } from './export-sql.ts';
export { getTicketThread } from './get-ticket-thread.ts';
export { markTicketRead } from './mark-ticket-read.ts';
export { replyToTicket } from './reply-to-ticket.ts';
export { mountSupport } from './routes.ts';
