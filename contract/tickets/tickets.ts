import { z } from 'zod';
import { endpoint, id, instant, line, operatorRoles, page, paging } from '../endpoint.ts';
import { actor, memberName, multilineText, one, version } from '../fields.ts';
import { english } from '../texts.ts';
import { attachmentTypes, ticketCategories, ticketRules, ticketStates, ticketSubjects } from './ticket-rules.ts';

const { t } = english;

const ticketAbout = z.strictObject({ kind: z.enum(ticketSubjects), id });
export type TicketAbout = z.output<typeof ticketAbout>;

/** Base64 length of the largest attachment, padding included. */
const MOST_BASE64 = Math.ceil(ticketRules.attachmentMaxBytes / 3) * 4;

/** An upload in base64: its type is verified against the content, and its name is sanitised. */
const newAttachment = z.strictObject({
  name: line(200, t`Name the file.`),
  type: z.enum(attachmentTypes, t`Only PNG, JPEG and PDF can be attached.`),
  content: z.string(t`Attach the file.`).min(1, t`The file is empty.`).max(MOST_BASE64, t`A file has at most 5 MB.`),
});
export type NewAttachment = z.output<typeof newAttachment>;

const messageText = multilineText(ticketRules.messageMaxLength, t`Write a message.`);

const newAttachments = z
  .array(newAttachment)
  .max(ticketRules.attachments, t`At most ${ticketRules.attachments} files.`)
  .optional();

const attachment = z.strictObject({
  id,
  name: z.string(),
  type: z.enum(attachmentTypes),
  bytes: z.number().int(),
});
export type Attachment = z.output<typeof attachment>;

const ticket = z.strictObject({
  id,
  /** The reference that people quote: `Q-7M2QX4`. */
  reference: z.string(),
  subject: z.string(),
  category: z.enum(ticketCategories),
  state: z.enum(ticketStates),
  about: ticketAbout.extend({ /** `DP-7M2QX4`, `Trade 17`. */ label: z.string() }).nullable(),
  /** Messages of the other side that the caller's side has not read. */
  unread: z.number().int(),
  created_at: instant,
  updated_at: instant,
});
export type Ticket = z.output<typeof ticket>;

const ticketMessage = z.strictObject({
  id,
  author: z.enum(['member', 'support']),
  /** Name of the member or the operator who answered; members see the first name, operators the full name. */
  name: z.string(),
  message: z.string(),
  attachments: z.array(attachment),
  /** Read by the other side; never true for an internal note. */
  seen: z.boolean(),
  created_at: instant,
});
export type TicketMessage = z.output<typeof ticketMessage>;

export const support = {
  createTicket: endpoint({
    method: 'POST',
    path: '/ticket/create',
    access: 'member',
    confirmsIdentity: true,
    summary: 'Create a ticket with up to 3 files, optionally about a transaction, trade, deposit or withdrawal',
    body: z.strictObject({
      subject: line(ticketRules.subjectMaxLength, t`Give it a subject.`),
      category: z.enum(ticketCategories, t`Choose a category.`),
      message: messageText,
      attachments: newAttachments,
      about: ticketAbout.optional(),
    }),
    data: ticket,
    refusals: ['attachment_refused', 'about_not_found', 'too_many_tickets', 'too_many_messages'],
    idempotent: true,
    largeBody: true,
  }),
  replyToTicket: endpoint({
    method: 'POST',
    path: '/ticket/reply-user',
    access: 'member',
    confirmsIdentity: true,
    summary: 'Reply to a ticket; reopens a closed or answered one',
    body: z.strictObject({ ticketId: id, message: messageText, attachments: newAttachments }),
    data: ticketMessage,
    refusals: ['ticket_not_found', 'attachment_refused', 'too_many_messages'],
    idempotent: true,
    largeBody: true,
  }),
  listTickets: endpoint({
    method: 'GET',
    path: '/ticket/tickets',
    access: 'member',
    summary: 'List your tickets, last updated first',
    query: z.strictObject({ ...paging, state: z.enum(ticketStates).optional() }),
    /** `unread` counts unread support messages in all tickets, regardless of the filter. */
    data: page(ticket).extend({ unread: z.number().int() }),
  }),
  getTicketThread: endpoint({
    method: 'GET',
    path: '/ticket/ticket-msg',
    access: 'member',
    summary: 'Get a ticket with its messages, oldest first',
    query: z.strictObject({ ticketId: id }),
    data: z.strictObject({ ticket, messages: z.array(ticketMessage) }),
    refusals: ['ticket_not_found'],
  }),
  markTicketRead: endpoint({
    method: 'POST',
    path: '/ticket/read',
    access: 'member',
    summary: 'Mark messages as read up to and including this one',
    body: z.strictObject({ ticketId: id, up_to: id }),
    /** Messages still unread in all tickets. */
    data: z.strictObject({ unread: z.number().int() }),
    refusals: ['ticket_not_found'],
  }),
  closeTicket: endpoint({
    method: 'POST',
    path: '/ticket/close',
    access: 'member',
    summary: 'Close a ticket',
    body: z.strictObject({ ticketId: id }),
    data: ticket,
    refusals: ['ticket_not_found'],
  }),
  getAttachment: endpoint({
    method: 'GET',
    path: '/ticket/attachments/:id',
    access: 'member',
    summary: 'Download an attachment of your ticket',
    params: one,
    refusals: ['attachment_not_found'],
    file: 'application/octet-stream',
  }),
};

const readers = ['support', 'admin'] as const;

const operatorTicket = ticket.extend({
  version,
  member: memberName.extend({ closed: z.boolean() }),
  assigned_to: actor.nullable(),
  /** When the first unanswered message was written; null while no answer is due. */
  waiting_since: instant.nullable(),
});
const operatorMessage = ticketMessage.extend({ private: z.boolean() });
const ticketReader = z.strictObject({ id, name: z.string(), role: z.enum(operatorRoles) });
const cannedReply = z.strictObject({ id, title: z.string(), text: z.string(), updated_at: instant });

/** Support tickets for operators (docs/product.md, sections 9 and 10). */
export const operatorTickets = {
  listOperatorTickets: endpoint({
    method: 'GET',
    path: '/operator/tickets',
    access: readers,
    summary: 'List tickets of all members, last updated first; open ones longest waiting first',
    query: z.strictObject({
      ...paging,
      state: z.enum(ticketStates).optional(),
      category: z.enum(ticketCategories).optional(),
      assigned: z.enum(['me', 'nobody']).optional(),
    }),
    data: page(operatorTicket),
  }),
  getOperatorTicket: endpoint({
    method: 'GET',
    path: '/operator/tickets/:id',
    access: readers,
    summary: 'Get a ticket with messages and internal notes; marks the member’s messages as seen',
    params: one,
    data: z.strictObject({ ticket: operatorTicket, messages: z.array(operatorMessage) }),
    refusals: ['ticket_not_found'],
  }),
  assignTicket: endpoint({
    method: 'POST',
    path: '/operator/tickets/:id/assign',
    access: readers,
    summary: 'Assign a ticket to yourself, a colleague or nobody (null)',
    params: one,
    body: z.strictObject({ version, operator_id: id.nullable() }),
    data: operatorTicket,
    refusals: ['ticket_not_found', 'ticket_changed', 'not_found'],
  }),
  replyAsOperator: endpoint({
    method: 'POST',
    path: '/operator/tickets/:id/reply',
    access: readers,
    summary: 'Reply to the member or add an internal note',
    params: one,
    body: z.strictObject({
      message: messageText,
      private: z.boolean().default(false),
      attachments: newAttachments,
      /**
       * The last message the operator saw: an answer is refused if a colleague wrote after it, and the ticket stays open
       * if the member did.
       */
      seen: id.optional(),
    }),
    data: operatorMessage,
    refusals: ['ticket_not_found', 'ticket_changed', 'attachment_refused', 'account_closed'],
    idempotent: true,
    largeBody: true,
  }),
  closeAsOperator: endpoint({
    method: 'POST',
    path: '/operator/tickets/:id/close',
    access: readers,
    summary: 'Close a ticket; a reply of the member reopens it',
    params: one,
    body: z.strictObject({ version }),
    data: operatorTicket,
    refusals: ['ticket_not_found', 'ticket_changed'],
  }),
  getOperatorAttachment: endpoint({
    method: 'GET',
    path: '/operator/attachments/:id',
    access: readers,
    summary: 'Download an attachment of any ticket',
    params: one,
    refusals: ['attachment_not_found'],
    file: 'application/octet-stream',
  }),
  listTicketReaders: endpoint({
    method: 'GET',
    path: '/operator/ticket-readers',
    access: readers,
    summary: 'List operators who can be assigned tickets, by name',
    data: z.strictObject({ items: z.array(ticketReader) }),
  }),
  listCannedReplies: endpoint({
    method: 'GET',
    path: '/operator/canned-replies',
    access: readers,
    summary: 'List canned replies by title',
    data: z.strictObject({ items: z.array(cannedReply) }),
  }),
  saveCannedReply: endpoint({
    method: 'PUT',
    path: '/operator/canned-replies',
    access: readers,
    summary: 'Create a canned reply or update the one with the same title',
    body: z.strictObject({ title: line(80, 'Give it a title.'), text: messageText }),
    data: cannedReply,
  }),
  deleteCannedReply: endpoint({
    method: 'DELETE',
    path: '/operator/canned-replies/:id',
    access: readers,
    summary: 'Delete a canned reply',
    params: one,
    refusals: ['not_found'],
  }),
};

export type OperatorTicket = z.output<typeof operatorTicket>;
export type OperatorMessage = z.output<typeof operatorMessage>;
export type CannedReply = z.output<typeof cannedReply>;
