/**
 * What a ticket can be and what fits into it (docs/product.md, section 9). Without schemas, so that browsers can read
 * it, too.
 */

/** `open` → `answered` ⇄ `open` → `closed`; a reply of the member opens it again. */
export const ticketStates = ['open', 'answered', 'closed'] as const;
export type TicketState = (typeof ticketStates)[number];

export const ticketCategories = ['deposit', 'withdrawal', 'trade', 'income', 'account', 'other'] as const;

/** What a ticket can be about; the id is that of the member's own line of the statement, trade, deposit or withdrawal. */
export const ticketSubjects = ['movement', 'trade', 'deposit', 'withdrawal'] as const;

export const attachmentTypes = ['image/png', 'image/jpeg', 'application/pdf'] as const;
export type AttachmentType = (typeof attachmentTypes)[number];

export const ticketRules = {
  subjectMaxLength: 120,
  messageMaxLength: 5000,
  attachments: 3,
  attachmentMaxBytes: 5 * 1024 * 1024,
  /** Of one member within 24 hours. */
  ticketsADay: 20,
  messagesADay: 100,
  attachmentsADay: 30,
} as const;
