type TicketNotice = {
  readonly kind: string;
  readonly message: string;
  readonly mail?: { readonly subject: string; readonly text: string };
};

/**
 * What a member hears when support answered: in the drawer and by mail. Neither has a word of the answer or of the
 * question, because mail is read by more people than its receiver.
 */
export const answeredNotice = (reference: string): TicketNotice => ({
  kind: 'ticket_answered',
  message: `Our team answered your ticket ${reference}.`,
  mail: {
    subject: `Your ticket ${reference} was answered`,
    text: `Our team answered your ticket ${reference}. Sign in and open Query to read the answer and to write back.\n`,
  },
});

/** What a member hears when support closed a ticket; what they close themselves they know. */
export const closedNotice = (reference: string): TicketNotice => ({
  kind: 'ticket_closed',
  message: `Our team closed your ticket ${reference}. A reply opens it again.`,
});
