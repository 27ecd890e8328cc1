import type { TicketMessage } from '#contract/tickets/tickets.ts';

/** The first answer that the member has not seen yet. */
export const firstUnseen = (messages: readonly TicketMessage[]): string | undefined =>
  messages.find(({ author, seen }) => author === 'support' && !seen)?.id;
