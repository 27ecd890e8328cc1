import { type TicketState, ticketCategories, ticketStates } from '#contract/tickets/ticket-rules.ts';

export type TicketFilter = {
  state: TicketState;
  category?: (typeof ticketCategories)[number] | undefined;
  assigned?: (typeof assignments)[number] | undefined;
};

const assignments = ['me', 'nobody'] as const;
export const assignmentOptions = [
  { value: 'me', label: 'Mine' },
  { value: 'nobody', label: 'Nobody’s' },
] as const;

/** What the address asks for: `?state=answered&category=deposit&assigned=me`; what is no filter is none. */
export const readFilter = (search: URLSearchParams): TicketFilter => ({
  state: ticketStates.find((one) => one === search.get('state')) ?? 'open',
  category: ticketCategories.find((one) => one === search.get('category')),
  assigned: assignments.find((one) => one === search.get('assigned')),
});

/** The same filter as an address; open tickets are what the page begins with. */
export function filterSearch({ state, category, assigned }: TicketFilter): URLSearchParams {
  const search = new URLSearchParams();
  if (state !== 'open') search.set('state', state);
  if (category !== undefined) search.set('category', category);
  if (assigned !== undefined) search.set('assigned', assigned);
  return search;
}
