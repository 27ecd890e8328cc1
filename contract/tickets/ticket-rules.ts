/**
 * States, subjects and limits of tickets (docs/product.md, section 9). No schemas in this file, so that browsers can
 * load it.
 */

/** `open` → `answered` ⇄ `open` → `closed`; a reply of the member reopens it. */
export const ticketStates = ['open', 'answered', 'closed'] as const;
export type TicketState = (typeof ticketStates)[number];

export const ticketCategories = ['deposit', 'withdrawal', 'trade', 'income', 'account', 'other'] as const;

/** What a ticket can be about; the id is that of the member's own statement line, trade, deposit or withdrawal. */
export const ticketSubjects = ['movement', 'trade', 'deposit', 'withdrawal'] as const;

export const attachmentTypes = ['image/png', 'image/jpeg', 'application/pdf'] as const;
export type AttachmentType = (typeof attachmentTypes)[number];

export const ticketRules = {
  subjectMaxLength: 120,
  messageMaxLength: 5000,
  attachments: 3,
  attachmentMaxBytes: 5 * 1024 * 1024,
  /** Per member within 24 hours. */
  ticketsADay: 20,
  messagesADay: 100,
  attachmentsADay: 30,
} as const;
