import { z } from 'zod';
import {
  controlMessage,
  endpoint,
  hasNoControl,
  id,
  instant,
  line,
  nothing,
  operatorRoles,
  page,
  paging,
} from '../endpoint.ts';
import { attachmentTypes, ticketCategories, ticketRules, ticketStates, ticketSubjects } from './ticket-rules.ts';

const ticketAbout = z.strictObject({ kind: z.enum(ticketSubjects), id });
export type TicketAbout = z.output<typeof ticketAbout>;

/** Base64 of the largest attachment, with its padding. */
const MOST_BASE64 = Math.ceil(ticketRules.attachmentMaxBytes / 3) * 4;

/** What a person sends, in base64: the content says whether its type is true, and its name is made plain. */
const newAttachment = z.strictObject({
  name: line(200, 'Name the file.'),
  type: z.enum(attachmentTypes, 'Only PNG, JPEG and PDF can be attached.'),
  content: z.string('Attach the file.').min(1, 'The file is empty.').max(MOST_BASE64, 'A file has at most 5 MB.'),
});
export type NewAttachment = z.output<typeof newAttachment>;

/** Lines may be broken; other control characters are refused. */
const messageText = z
  .string('Write a message.')
  .max(ticketRules.messageMaxLength, `At most ${ticketRules.messageMaxLength} characters.`)
  .transform((text) => text.replaceAll('\r\n', '\n').trim())
  .refine((text) => hasNoControl(text.replaceAll('\n', '').replaceAll('\t', '')), controlMessage)
  .pipe(z.string().min(1, 'Write a message.'));

const newAttachments = z
  .array(newAttachment)
  .max(ticketRules.attachments, `At most ${ticketRules.attachments} files.`)
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
  /** What a person quotes: `Q-7M2QX4`. */
  reference: z.string(),
  subject: z.string(),
  category: z.enum(ticketCategories),
  state: z.enum(ticketStates),
  about: ticketAbout.extend({ /** `DP-7M2QX4`, `Trade 17`. */ label: z.string() }).nullable(),
  /** Messages of the other side that this one has not read yet. */
  unread: z.number().int(),
  created_at: instant,
  updated_at: instant,
});
export type Ticket = z.output<typeof ticket>;

const ticketMessage = z.strictObject({
  id,
  author: z.enum(['member', 'support']),
  /** Of the member, or of who answered: members read the first name, operators the whole one. */
  name: z.string(),
  message: z.string(),
  attachments: z.array(attachment),
  /** The other side has seen it; a note that only operators see never is. */
  seen: z.boolean(),
  created_at: instant,
});
export type TicketMessage = z.output<typeof ticketMessage>;

export const support = {
  createTicket: endpoint({
    method: 'POST',
    path: '/ticket/create',
    access: 'member',
    summary: 'Ask a question, with up to 3 files, about anything or one own line, trade, deposit or withdrawal',
    body: z.strictObject({
      subject: line(ticketRules.subjectMaxLength, 'Give it a subject.'),
      category: z.enum(ticketCategories, 'Choose a category.'),
      message: messageText,
      attachments: newAttachments,
      about: ticketAbout.optional(),
    }),
    data: ticket,
    refusals: ['attachment_refused', 'about_not_found', 'too_many_tickets'],
    idempotent: true,
    largeBody: true,
  }),
  replyToTicket: endpoint({
    method: 'POST',
    path: '/ticket/reply-user',
    access: 'member',
    summary: 'Write another message; a closed or answered ticket is open again',
    body: z.strictObject({ ticketId: id, message: messageText, attachments: newAttachments }),
    data: ticketMessage,
    refusals: ['ticket_not_found', 'attachment_refused'],
    idempotent: true,
    largeBody: true,
  }),
  listTickets: endpoint({
    method: 'GET',
    path: '/ticket/tickets',
    access: 'member',
    summary: 'Own tickets, the last changed first',
    query: z.strictObject({ ...paging, state: z.enum(ticketStates).optional() }),
    /** `unread` counts the messages of support in all tickets, whatever the filter. */
    data: page(ticket).extend({ unread: z.number().int() }),
    refusals: [],
  }),
  getTicketThread: endpoint({
    method: 'GET',
    path: '/ticket/ticket-msg',
    access: 'member',
    summary: 'One own ticket with its messages, oldest first',
    query: z.strictObject({ ticketId: id }),
    data: z.strictObject({ ticket, messages: z.array(ticketMessage) }),
    refusals: ['ticket_not_found'],
  }),
  markTicketRead: endpoint({
    method: 'POST',
    path: '/ticket/read',
    access: 'member',
    summary: 'All messages up to and including this one were seen',
    body: z.strictObject({ ticketId: id, up_to: id }),
    /** What is left unread in all tickets. */
    data: z.strictObject({ unread: z.number().int() }),
    refusals: ['ticket_not_found'],
  }),
  closeTicket: endpoint({
    method: 'POST',
    path: '/ticket/close',
    access: 'member',
    summary: 'Close an own ticket: the question is settled',
    body: z.strictObject({ ticketId: id }),
    data: ticket,
    refusals: ['ticket_not_found'],
  }),
  getAttachment: endpoint({
    method: 'GET',
    path: '/ticket/attachments/:id',
    access: 'member',
    summary: 'The bytes of a file of an own ticket, always as a download',
    params: z.strictObject({ id }),
    data: nothing,
    refusals: ['attachment_not_found'],
    file: 'application/octet-stream',
  }),
};

const readers = ['support', 'admin'] as const;
const one = z.strictObject({ id });
const version = z.number().int().min(1);

const deskTicket = ticket.extend({
  version,
  member: z.strictObject({ id, referral_code: z.string(), name: z.string() }),
  assigned_to: z.strictObject({ id, name: z.string() }).nullable(),
  /** When the first message was written that has no answer yet; null while none has to be given. */
  waiting_since: instant.nullable(),
});
const deskMessage = ticketMessage.extend({ private: z.boolean() });
const ticketReader = z.strictObject({ id, name: z.string(), role: z.enum(operatorRoles) });
const cannedReply = z.strictObject({ id, title: z.string(), text: z.string(), updated_at: instant });

/** The desk of the people who answer (docs/product.md, sections 9 and 10). */
export const supportDesk = {
  listDeskTickets: endpoint({
    method: 'GET',
    path: '/operator/tickets',
    access: readers,
    summary: 'Tickets of all members, the last changed first; open ones, the longest waiting first',
    query: z.strictObject({
      ...paging,
      state: z.enum(ticketStates).optional(),
      category: z.enum(ticketCategories).optional(),
      assigned: z.enum(['me', 'nobody']).optional(),
    }),
    data: page(deskTicket),
    refusals: [],
  }),
  getDeskTicket: endpoint({
    method: 'GET',
    path: '/operator/tickets/:id',
    access: readers,
    summary: 'One ticket with messages and private notes; marks the messages of the member as seen',
    params: one,
    data: z.strictObject({ ticket: deskTicket, messages: z.array(deskMessage) }),
    refusals: ['ticket_not_found'],
  }),
  assignTicket: endpoint({
    method: 'POST',
    path: '/operator/tickets/:id/assign',
    access: readers,
    summary: 'Take a ticket, hand it to a colleague, or give it back (null)',
    params: one,
    body: z.strictObject({ version, operator_id: id.nullable() }),
    data: deskTicket,
    refusals: ['ticket_not_found', 'ticket_changed', 'not_found'],
  }),
  replyFromDesk: endpoint({
    method: 'POST',
    path: '/operator/tickets/:id/reply',
    access: readers,
    summary: 'Answer the member, or write a note that only operators see',
    params: one,
    body: z.strictObject({
      message: messageText,
      private: z.boolean().default(false),
      attachments: newAttachments,
    }),
    data: deskMessage,
    refusals: ['ticket_not_found', 'attachment_refused'],
    idempotent: true,
    largeBody: true,
  }),
  closeFromDesk: endpoint({
    method: 'POST',
    path: '/operator/tickets/:id/close',
    access: readers,
    summary: 'Close a ticket; the member can open it again by a reply',
    params: one,
    body: z.strictObject({ version }),
    data: deskTicket,
    refusals: ['ticket_not_found', 'ticket_changed'],
  }),
  getDeskAttachment: endpoint({
    method: 'GET',
    path: '/operator/attachments/:id',
    access: readers,
    summary: 'The bytes of a file of any ticket, always as a download',
    params: one,
    data: nothing,
    refusals: ['attachment_not_found'],
    file: 'application/octet-stream',
  }),
  listTicketReaders: endpoint({
    method: 'GET',
    path: '/operator/ticket-readers',
    access: readers,
    summary: 'Operators who can be given a ticket, by name',
    data: z.strictObject({ items: z.array(ticketReader) }),
    refusals: [],
  }),
  listCannedReplies: endpoint({
    method: 'GET',
    path: '/operator/canned-replies',
    access: readers,
    summary: 'Answers that are used often, by title',
    data: z.strictObject({ items: z.array(cannedReply) }),
    refusals: [],
  }),
  saveCannedReply: endpoint({
    method: 'PUT',
    path: '/operator/canned-replies',
    access: readers,
    summary: 'Write a canned reply, or change the one of the same title',
    body: z.strictObject({ title: line(80, 'Give it a title.'), text: messageText }),
    data: cannedReply,
    refusals: [],
  }),
  deleteCannedReply: endpoint({
    method: 'DELETE',
    path: '/operator/canned-replies/:id',
    access: readers,
    summary: 'Delete a canned reply',
    params: one,
    data: nothing,
    refusals: ['not_found'],
  }),
};

export type DeskTicket = z.output<typeof deskTicket>;
export type DeskMessage = z.output<typeof deskMessage>;
export type CannedReply = z.output<typeof cannedReply>;
