import { ticketRules } from '#contract/tickets/ticket-rules.ts';
import { t } from '../../api/texts.ts';

/** Nothing when the message can be sent. */
export function faultOfMessage(message: string): { message?: string } {
  const { messageMaxLength } = ticketRules;
  if (message.trim() === '') return { message: t`Write a message.` };
  return message.length > messageMaxLength ? { message: t`At most ${messageMaxLength} characters.` } : {};
}
