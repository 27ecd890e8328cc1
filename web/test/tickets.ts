import type { OperatorMessage, OperatorTicket, Ticket, TicketMessage } from '#contract/tickets/tickets.ts';

export const aTicket = (given: Partial<Ticket> = {}): Ticket => ({
  id: '7',
  reference: 'Q-4F71K2',
  subject: 'Deposit not credited yet',
  category: 'deposit',
  state: 'answered',
  about: null,
  unread: 0,
  created_at: '2026-03-04T13:59:00Z',
  updated_at: '2026-03-04T14:03:00Z',
  ...given,
});

export const aMessage = (given: Partial<TicketMessage> = {}): TicketMessage => ({
  id: '1',
  author: 'member',
  name: 'Anika Rao',
  message: 'I sent 500 USDT. Is there something I have to do?',
  attachments: [],
  seen: true,
  created_at: '2026-03-04T13:59:00Z',
  ...given,
});

export const anAnswer = (given: Partial<TicketMessage> = {}): TicketMessage =>
  aMessage({
    id: '2',
    author: 'support',
    name: 'Devika',
    message: 'Hello Anika, no.',
    created_at: '2026-03-04T14:02:00Z',
    ...given,
  });

/** An open, unassigned ticket as operators see it. */
export const anOperatorTicket = (given: Partial<OperatorTicket> = {}): OperatorTicket => ({
  ...aTicket({ state: 'open' }),
  version: 1,
  member: { id: '42', referral_code: 'TW7K3QMX9D', name: 'Anika Rao', closed: false },
  assigned_to: null,
  waiting_since: '2026-03-04T13:59:00Z',
  ...given,
});

export const anOperatorMessage = (given: Partial<OperatorMessage> = {}): OperatorMessage => ({
  ...aMessage(),
  private: false,
  ...given,
});

export const aFile = (name: string, type: string, content: BlobPart = 'content'): File =>
  new File([content], name, { type });

/** An auto-growing text field is measured again once fonts have loaded; the test document has no `fonts`. */
export const withFonts = () =>
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

/** How many drafts the tab keeps. */
export const countDrafts = (): number => Object.keys(sessionStorage).filter((key) => key.startsWith('draft/')).length;
