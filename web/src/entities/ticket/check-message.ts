import { ticketRules } from '#contract/tickets/ticket-rules.ts';

/** Nothing when the message can be sent. */
export function faultOfMessage(message: string): { message?: string } {
  const { messageMaxLength } = ticketRules;
  if (message.trim() === '') return { message: 'Write a message.' };
  return message.length > messageMaxLength ? { message: `At most ${messageMaxLength} characters.` } : {};
}
