import type { TicketMessage } from '#contract/support.ts';
import { formatLongDate } from '../../shared/format/time.ts';

export type DayOfMessages = { day: string; messages: TicketMessage[] };

/** Messages under the day they were written on, in UTC: `4 March 2026`. */
export function splitByDay(messages: readonly TicketMessage[]): DayOfMessages[] {
  const days: DayOfMessages[] = [];
  for (const message of messages) {
    const day = formatLongDate(message.created_at).replace(/^\w+, /, '');
    const last = days.at(-1);
    if (last?.day === day) last.messages.push(message);
    else days.push({ day, messages: [message] });
  }
  return days;
}

/** The first answer that the member has not seen yet. */
export const firstUnseen = (messages: readonly TicketMessage[]): string | undefined =>
  messages.find(({ author, seen }) => author === 'support' && !seen)?.id;
