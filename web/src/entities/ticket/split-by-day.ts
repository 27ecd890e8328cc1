import { formatLongDate } from '../../ui/format/time.ts';

/** Messages grouped by the UTC day they were written on: `4 March 2026`. */
export function splitByDay<Message extends { created_at: string }>(messages: readonly Message[]) {
  const days: { day: string; messages: Message[] }[] = [];
  for (const message of messages) {
    const day = formatLongDate(message.created_at);
    const last = days.at(-1);
    if (last?.day === day) last.messages.push(message);
    else days.push({ day, messages: [message] });
  }
  return days;
}
