import { ticketCategories, ticketRules } from '#contract/ticket-rules.ts';

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

/** Nothing when the message can be sent. */
export function faultOfMessage(message: string): { message?: string } {
  const { messageMaxLength } = ticketRules;
  if (message.trim() === '') return { message: 'Write a message.' };
  return message.length > messageMaxLength ? { message: `At most ${messageMaxLength} characters.` } : {};
}
