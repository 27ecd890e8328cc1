import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Ticket } from '#contract/tickets/tickets.ts';
import { partsOf } from '../../../test/reading.ts';
import { addressNow, onMobile, renderAt } from '../../../test/render.tsx';
import { type Answers, stubServer, success } from '../../../test/server.ts';
import { aTicket } from '../../../test/tickets.ts';
import { QueryPage } from './query-page.tsx';

const LIST = 'GET /ticket/tickets';
function open(items: Ticket[], answers: Answers = {}, at = '/query') {
  const calls = stubServer({ [LIST]: success({ items, next_cursor: null, unread: 0 }), ...answers });
  return { calls, ...renderAt(at, <QueryPage />) };
}

describe('the list of queries', () => {
  test('shows what each is about, its state, when it changed, and what is unread', async () => {
    open([
      aTicket({ unread: 2, about: { kind: 'deposit', id: '5', label: 'DP-7M2QX4' } }),
      aTicket({ id: '3', reference: 'Q-3K9TWE', subject: 'A rank', category: 'income', state: 'closed' }),
    ]);
    await screen.findByText('Answered');
    const rows = screen.getAllByRole('row').slice(1);
    expect(rows.map((row) => partsOf(row, 'cell').slice(0, 5))).toEqual([
      ['Deposit not credited yetQ-4F71K222 unread messages', 'Deposit', 'DP-7M2QX4', '4 Mar 2026, 14:03', 'Answered'],
      ['A rankQ-3K9TWE', 'Income', '', '4 Mar 2026, 14:03', 'Closed'],
    ]);
    const links = within(rows[0] as HTMLElement).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Deposit not credited yet', '/query/7'],
      ['DP-7M2QX4', '/fund/deposits?deposit=5'],
    ]);
    // The link covers the row: a browser test clicks elsewhere in it.
    expect(links[0]?.hasAttribute('data-row-link')).toBe(true);
    expect(screen.getByRole('link', { name: 'New query' }).getAttribute('href')).toBe('/query/new');
  });

  test('on a phone has two lines a row, each linked to its thread', async () => {
    onMobile();
    open([aTicket({ unread: 1 })]);
    const row = await screen.findByRole('link', { name: /Answered/ });
    expect(row.textContent).toBe('Deposit not credited yet11 unread messageAnsweredDeposit4 Mar 2026, 14:03 UTC');
    expect(row.getAttribute('href')).toBe('/query/7');
  });

  test('is filtered by state, in the address, and the filter can be cleared when it hides everything', async () => {
    const { calls } = open([], {}, '/query?state=closed');
    expect(await screen.findByText('No query is “Closed”')).toBeTruthy();
    expect(calls.find(({ name }) => name === LIST)?.url).toContain('state=closed');
    fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
    expect(await screen.findByText('No queries yet')).toBeTruthy();
    expect(addressNow()).toBe('/query');
  });

  test('an unknown state is ignored', async () => {
    const { calls } = open([aTicket()], {}, '/query?state=lost');
    await screen.findByText('Answered');
    expect(calls.find(({ name }) => name === LIST)?.url).not.toContain('state');
  });
});
