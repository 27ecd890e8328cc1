import { ticketRules } from '#contract/tickets/ticket-rules.ts';

const whole = (count: number) => count.toLocaleString('en-US');

/** How much of the longest message is used. */
export function MessageCount({ text }: { text: string }) {
  return (
    <>
      {whole(text.length)} of {whole(ticketRules.messageMaxLength)} characters
    </>
  );
}
