import { ticketRules } from '#contract/tickets/ticket-rules.ts';
import { t } from '../../api/texts.ts';
import { formatCount } from '../../ui/format/number.ts';

/** How much of the maximum length is used. */
export function MessageCount({ text }: { text: string }) {
  return <>{t`${formatCount(text.length)} of ${formatCount(ticketRules.messageMaxLength)} characters`}</>;
}

/** Nothing while the message can be sent. */
export function messageError(message: string): { message?: string } {
  const { messageMaxLength } = ticketRules;
  if (message.trim() === '') return { message: t`Write a message.` };
  return message.length > messageMaxLength ? { message: t`At most ${messageMaxLength} characters.` } : {};
}
