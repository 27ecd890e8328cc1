import { ticketRules } from '#contract/tickets/ticket-rules.ts';
import { t } from '../../api/texts.ts';
import { formatCount } from '../../ui/format/number.ts';

/** How much of the longest message is used. */
export function MessageCount({ text }: { text: string }) {
  return <>{t`${formatCount(text.length)} of ${formatCount(ticketRules.messageMaxLength)} characters`}</>;
}
