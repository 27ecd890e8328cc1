import { ticketSubjects } from '#contract/tickets/ticket-rules.ts';
import type { TicketAbout } from '#contract/tickets/tickets.ts';
import { t } from '../../api/texts.ts';
import { labelOf } from '../../ui/forms/ask-about.tsx';

const ID = /^[1-9]\d{0,17}$/;
const names = { movement: t`Line`, trade: t`Trade`, deposit: t`Deposit`, withdrawal: t`Withdrawal` } as const;
const categories = { movement: 'other', trade: 'trade', deposit: 'deposit', withdrawal: 'withdrawal' } as const;

export type About = TicketAbout & { label: string };

/**
 * What the address asks about: `?about=trade:17` is trade 17; anything else is nothing. The link may have brought the
 * words that people know it by, as `DP-7M2QX4`.
 */
export function readAbout(search: URLSearchParams, state: unknown): About | undefined {
  const [kindText, id = ''] = (search.get('about') ?? '').split(':');
  const kind = ticketSubjects.find((one) => one === kindText);
  if (kind === undefined || !ID.test(id)) return undefined;
  return { kind, id, label: labelOf(state) ?? `${names[kind]} ${id}` };
}

/** What a question about it most likely belongs to. */
export const categoryOf = (about: About): (typeof categories)[keyof typeof categories] => categories[about.kind];
