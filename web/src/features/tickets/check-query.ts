import { ticketCategories } from '#contract/tickets/ticket-rules.ts';
import { faultOfMessage } from '../../entities/ticket/check-message.ts';

export type QueryFaults = Partial<Record<'subject' | 'category' | 'message' | 'about', string | undefined>>;
export type TypedQuery = { subject: string; category: string; message: string };
type Query = Omit<TypedQuery, 'category'> & { category: (typeof ticketCategories)[number] };

/** What would be sent, or what is missing in it, in the contract's words. */
export function checkQuery(typed: TypedQuery): { ok: true; query: Query } | { ok: false; faults: QueryFaults } {
  const subject = typed.subject.trim();
  const category = ticketCategories.find((one) => one === typed.category);
  const message = typed.message.trim();
  const faults: QueryFaults = {
    ...(subject === '' ? { subject: 'Give it a subject.' } : {}),
    ...(category === undefined ? { category: 'Choose a category.' } : {}),
    ...faultOfMessage(message),
  };
  if (category === undefined || Object.keys(faults).length > 0) return { ok: false, faults };
  return { ok: true, query: { subject, category, message } };
}
