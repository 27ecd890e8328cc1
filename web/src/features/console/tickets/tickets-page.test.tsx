import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { OperatorMessage, OperatorTicket } from '#contract/tickets/tickets.ts';
import { addressNow, onMobile } from '../../../../test/render.tsx';
import { savedFiles } from '../../../../test/saved-files.ts';
import { type Call, refused, settled, success } from '../../../../test/server.ts';
import { type Answers, openTicketWorld, signInForEach } from '../../../../test/ticket-office.tsx';
import { anOperatorMessage, anOperatorTicket } from '../../../../test/tickets.ts';
import { TicketsPage } from './tickets-page.tsx';

const LIST = 'GET /operator/tickets';
const ONE = 'GET /operator/tickets/7';
const ASSIGN = 'POST /operator/tickets/7/assign';
const REPLY = 'POST /operator/tickets/7/reply';
const CLOSE = 'POST /operator/tickets/7/close';

signInForEach();

const openOffice = (at?: string, given?: Partial<OperatorTicket>, answers?: Answers, messages?: OperatorMessage[]) =>
  openTicketWorld(<TicketsPage />, at, given, answers, messages);
const field = (name = 'Answer') => screen.getByRole<HTMLTextAreaElement>('textbox', { name });
const type = (text: string, name?: string) => fireEvent.change(field(name), { target: { value: text } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const panel = () => screen.findByRole('complementary', { name: 'Ticket Q-4F71K2' });
const choose = async (menu: RegExp, item: string) => {
  press(menu);
  fireEvent.click(await screen.findByRole('menuitemradio', { name: item }));
};

describe('the list', () => {
  test('shows how long each has waited, who asked, about what, its assignee and what is unread', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-04T16:13:00Z'), shouldAdvanceTime: true });
    openOffice('/operator/tickets', {
      unread: 2,
      about: { kind: 'deposit', id: '4', label: 'DP-7M2QX4' },
      assigned_to: { id: '4', name: 'Arun Iyer' },
    });
    const grid = await screen.findByRole('grid', { name: 'Tickets, open' });
    const cells = [...grid.querySelectorAll('td')];
    expect(cells.map((cell) => cell.textContent)).toEqual([
      '2 h 14 min4 Mar, 13:59 UTC',
      'Anika RaoTW7K3QMX9D',
      'Deposit not credited yetQ-4F71K2 · Deposit · DP-7M2QX42 unread',
      'Arun Iyer',
    ]);
  });

  test('starts with the open ones and sends the operator’s token, not a member’s', async () => {
    const { sent } = openOffice('/operator/tickets');
    await screen.findByRole('grid');
    expect(sent(LIST)[0]?.url).toContain('state=open');
    expect(sent(LIST)[0]?.headers.get('authorization')).toBe('Bearer operator-secret');
  });

  test('is filtered by state, category and assignee, in the address', async () => {
    const { sent } = openOffice('/operator/tickets?state=answered');
    await screen.findByRole('grid', { name: 'Tickets, answered' });
    await choose(/^Category/, 'Deposit');
    await choose(/^Assigned: Everyone/, 'Me');
    await waitFor(() => expect(addressNow()).toBe('/operator/tickets?state=answered&category=deposit&assigned=me'));
    await waitFor(() => expect(sent(LIST).at(-1)?.url).toMatch(/state=answered&category=deposit&assigned=me/));
    fireEvent.click(screen.getByRole('tab', { name: 'Closed' }));
    await waitFor(() => expect(addressNow()).toBe('/operator/tickets?state=closed&category=deposit&assigned=me'));
  });

  test('emptied by a filter says so and clears it; without a filter it says that nobody is waiting', async () => {
    openOffice('/operator/tickets?category=trade', {}, { [LIST]: success({ items: [], next_cursor: null }) });
    expect(await screen.findByText('No matching open tickets')).toBeTruthy();
    press('Clear filter');
    expect(await screen.findByText('No open tickets')).toBeTruthy();
    expect(addressNow()).toBe('/operator/tickets');
  });

  test('opens a ticket by Enter and closes it by Escape; the filter is kept', async () => {
    openOffice('/operator/tickets?assigned=nobody');
    await screen.findByRole('grid');
    fireEvent.keyDown(document.body, { key: 'j' });
    const row = document.activeElement as HTMLElement;
    expect(row.textContent).toContain('Deposit not credited yet');
    fireEvent.keyDown(row, { key: 'Enter' });
    await panel();
    expect(addressNow()).toBe('/operator/tickets/7?assigned=nobody');
    fireEvent.keyDown(document.body, { key: 'Escape' });
    await waitFor(() => expect(addressNow()).toBe('/operator/tickets?assigned=nobody'));
  });
});

test('where a detail covers the list, it takes the focus, and its row has it back', async () => {
  onMobile('(max-width: 74.99em)');
  openOffice('/operator/tickets');
  await screen.findByRole('grid');
  fireEvent.keyDown(document.body, { key: 'j' });
  const row = document.activeElement as HTMLElement;
  fireEvent.keyDown(row, { key: 'Enter' });
  await panel();
  expect(document.activeElement?.textContent).toBe('Q-4F71K2');
  fireEvent.keyDown(document.activeElement as HTMLElement, { key: 'Escape' });
  await waitFor(() => expect(document.activeElement).toBe(row));
});

describe('a ticket', () => {
  test('shows who asks about what, and what both sides and colleagues wrote, with notes set apart', async () => {
    openOffice(undefined, undefined, undefined, [
      anOperatorMessage(),
      anOperatorMessage({
        id: '2',
        author: 'support',
        name: 'Arun Iyer',
        message: 'Look at the hash.',
        private: true,
        seen: false,
      }),
      anOperatorMessage({ id: '3', author: 'support', name: 'Devika Shah', message: 'It is on its way.', seen: true }),
    ]);
    const aside = await panel();
    await within(aside).findByText('It is on its way.');
    expect(within(aside).getByText('Deposit not credited yet')).toBeTruthy();
    expect([...within(aside).getByRole('log').children].map((line) => line.textContent)).toEqual([
      '4 March 2026',
      'Anika Rao13:59I sent 500 USDT. Is there something I have to do?',
      '13:59Arun Iyer, private noteLook at the hash.',
      '13:59Devika ShahIt is on its way.Seen by the member',
    ]);
  });

  test('stored text stays text: it never becomes an element or a link', async () => {
    const text = '<script>window.pwned = 1</script><img src=x onerror=alert(1)> https://evil.example/';
    openOffice(undefined, { subject: '<b>bold</b>' }, undefined, [anOperatorMessage({ id: '2', message: text })]);
    const aside = await panel();
    expect((await within(aside).findByText(/pwned/)).textContent).toBe(text);
    expect(aside.querySelector('script, img, iframe')).toBeNull();
    expect(within(aside).getByText('<b>bold</b>')).toBeTruthy();
  });

  test('that does not exist, or whose id is malformed, says so', async () => {
    const body = { status: 'error', code: 'ticket_not_found', message: 'This ticket does not exist.' };
    const { unmount } = openOffice('/operator/tickets/7', {}, { [ONE]: { status: 404, body } });
    expect(await screen.findByText(/This ticket does not exist/)).toBeTruthy();
    unmount();
    const { sent } = openOffice('/operator/tickets/7/x');
    expect(await screen.findByText(/This ticket does not exist/)).toBeTruthy();
    expect(sent(ONE)).toEqual([]);
  });

  test('that could not be loaded can be retried', async () => {
    openOffice('/operator/tickets/7', {}, { [ONE]: refused(503, 'not_ready', 'Not ready.') });
    expect(await screen.findByText('The ticket could not be loaded')).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});

describe('assignment', () => {
  const taken = anOperatorTicket({ version: 2, assigned_to: { id: '3', name: 'Devika Shah' } });

  test('is claimed by one press, or the key T, with the version that was shown', async () => {
    const { office, sent } = openOffice(undefined, undefined, {
      [ASSIGN]: () => {
        office.ticket = taken;
        return success(taken);
      },
    });
    await panel();
    press('Assign to me');
    expect(await screen.findByRole('button', { name: 'Assigned to Devika Shah' })).toBeTruthy();
    expect(sent(ASSIGN).map(({ body }) => body)).toEqual([{ version: 1, operator_id: '3' }]);
    expect(screen.queryByRole('button', { name: 'Assign to me' })).toBeNull();
    fireEvent.keyDown(document.body, { key: 't' });
    await settled();
    expect(sent(ASSIGN)).toHaveLength(1);
  });

  test('passes to a colleague, or is released', async () => {
    const { office, sent } = openOffice('/operator/tickets/7', taken, {
      [ASSIGN]: () => {
        office.ticket = { ...taken, version: 3, assigned_to: { id: '4', name: 'Arun Iyer' } };
        return success(office.ticket);
      },
    });
    await panel();
    await choose(/^Assigned to Devika/, 'Arun Iyer, admin');
    await screen.findByRole('button', { name: 'Assigned to Arun Iyer' });
    await choose(/^Assigned to Arun/, 'Unassigned');
    await waitFor(() => expect(sent(ASSIGN)).toHaveLength(2));
    expect(sent(ASSIGN).map(({ body }) => body)).toEqual([
      { version: 2, operator_id: '4' },
      { version: 3, operator_id: null },
    ]);
  });

  test('of a ticket that has changed is refused, reported, and the ticket reloaded', async () => {
    const body = { status: 'error', code: 'ticket_changed', message: 'This ticket changed meanwhile.' };
    const { sent, office } = openOffice(undefined, undefined, {
      [ASSIGN]: () => {
        office.ticket = anOperatorTicket({ version: 5, assigned_to: { id: '4', name: 'Arun Iyer' } });
        return { status: 409, body };
      },
    });
    await panel();
    press('Assign to me');
    expect(await screen.findByText(body.message)).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Assigned to Arun Iyer' })).toBeTruthy();
    expect(sent(ASSIGN)).toHaveLength(1);
  });
});

describe('a reply', () => {
  const answered = (office: { ticket: OperatorTicket; messages: OperatorMessage[] }, sent: () => Call[]) => () => {
    const { message, private: isPrivate } = (sent().at(-1) as Call).body as { message: string; private: boolean };
    const written = anOperatorMessage({
      id: '9',
      author: 'support',
      name: 'Devika Shah',
      message,
      private: isPrivate,
      seen: false,
    });
    office.messages = [...office.messages, written];
    if (!isPrivate) office.ticket = { ...office.ticket, state: 'answered', waiting_since: null };
    return success(written);
  };

  function openAnswering() {
    const opened: ReturnType<typeof openOffice> = openOffice(undefined, undefined, {
      [REPLY]: () => answered(opened.office, () => opened.sent(REPLY))(),
    });
    return opened;
  }

  test('is sent once by the button, appears in the thread, and marks the ticket answered', async () => {
    const { sent } = openAnswering();
    await panel();
    type('  It was credited.\n');
    press('Send answer');
    expect(await screen.findByText('It was credited.', { selector: 'p' })).toBeTruthy();
    expect(sent(REPLY).map(({ body }) => body)).toEqual([{ message: 'It was credited.', private: false, seen: '1' }]);
    expect(sent(REPLY)[0]?.headers.get('idempotency-key')).toMatch(/^[\w-]{43}$/);
    expect(field().value).toBe('');
    expect(screen.getByText('Not seen yet')).toBeTruthy();
    expect(within(await panel()).getByText('Answered')).toBeTruthy();
  });

  test('after a colleague’s is refused: what was typed stays, beside the reason and what the colleague wrote', async () => {
    const words = 'Somebody wrote in this ticket or changed it meanwhile.';
    const { sent, office } = openOffice(undefined, undefined, {
      [REPLY]: () => {
        office.messages = [anOperatorMessage(), anOperatorMessage({ id: '9', author: 'support', message: 'Done.' })];
        return refused(409, 'ticket_changed', words);
      },
    });
    await panel();
    type('It was credited.');
    press('Send answer');
    expect(await screen.findByText(words, { selector: '[role=alert]' })).toBeTruthy();
    expect(await screen.findByText('Done.')).toBeTruthy();
    expect(field().value).toBe('It was credited.');
    press('Send answer');
    await waitFor(() => expect(sent(REPLY).map(({ body }) => body)).toMatchObject([{ seen: '1' }, { seen: '9' }]));
  });

  test('to a closed account is not offered, only a note', async () => {
    const member = { ...anOperatorTicket().member, closed: true };
    openOffice(undefined, { state: 'closed', member });
    await panel();
    expect(screen.getByText('The account is closed: nobody would read an answer.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Send answer' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Save note' })).toBeTruthy();
  });

  test('the key R focuses the reply and N the note; Ctrl with Enter sends, Escape leaves the field', async () => {
    const { sent } = openAnswering();
    await panel();
    fireEvent.keyDown(document.body, { key: 'n' });
    // Immediately: otherwise a letter typed right after would act as a shortcut.
    expect(document.activeElement).toBe(field('Private note'));
    fireEvent.keyDown(field('Private note'), { key: 'Escape' });
    expect(document.activeElement).not.toBe(field('Private note'));
    fireEvent.keyDown(document.body, { key: 'r' });
    expect(document.activeElement).toBe(field());
    type('Soon.');
    fireEvent.keyDown(field(), { key: 'Enter', ctrlKey: true });
    await waitFor(() =>
      expect(sent(REPLY).map(({ body }) => body)).toEqual([{ message: 'Soon.', private: false, seen: '1' }]),
    );
  });

  test('a note never becomes a reply: each has its own text', async () => {
    const { sent } = openAnswering();
    await panel();
    fireEvent.click(screen.getByRole('radio', { name: 'Private note' }));
    type('He is lying.', 'Private note');
    fireEvent.click(screen.getByRole('radio', { name: 'Answer' }));
    expect(field().value).toBe('');
    press('Send answer');
    expect(screen.getByText('Write a message.')).toBeTruthy();
    await settled();
    expect(sent(REPLY)).toEqual([]);
    fireEvent.click(screen.getByRole('radio', { name: 'Private note' }));
    expect(field('Private note').value).toBe('He is lying.');
    press('Save note');
    await waitFor(() =>
      expect(sent(REPLY).map(({ body }) => body)).toEqual([{ message: 'He is lying.', private: true, seen: '1' }]),
    );
    expect(await screen.findByText('Devika Shah, private note')).toBeTruthy();
    expect(within(await panel()).getByText('Open')).toBeTruthy();
  });

  test('starts with a canned reply, or has one appended', async () => {
    openOffice();
    await panel();
    for (const expected of ['Hello, thank you for writing.', 'Mine.\n\nHello, thank you for writing.']) {
      fireEvent.click(await screen.findByRole('button', { name: 'Insert a canned reply' }));
      fireEvent.click(await screen.findByRole('menuitem', { name: 'Greeting' }));
      expect(field().value).toBe(expected);
      type('Mine. ');
    }
  });
});

test('closing takes a confirmation, says that the member is notified, and sends the version', async () => {
  const { office, sent } = openOffice(undefined, undefined, {
    [CLOSE]: () => {
      office.ticket = { ...office.ticket, state: 'closed', version: 2 };
      return success(office.ticket);
    },
  });
  fireEvent.click(within(await panel()).getByRole('button', { name: 'Close ticket' }));
  const dialog = await screen.findByRole('dialog', { name: 'Close Q-4F71K2?' });
  expect(dialog.textContent).toContain('Anika Rao is notified');
  expect(sent(CLOSE)).toEqual([]);
  fireEvent.click(within(dialog).getByRole('button', { name: /^Close ticket/ }));
  await waitFor(() => expect(sent(CLOSE).map(({ body }) => body)).toEqual([{ version: 1 }]));
  expect(await within(await panel()).findByText('Closed')).toBeTruthy();
});

test('an attachment is saved with the operator’s token in the header, and never displayed', async () => {
  const saved = savedFiles();
  const attachments = [{ id: '31', name: 'transfer.png', type: 'image/png' as const, bytes: 219_136 }];
  const answers = { 'GET /operator/attachments/31': { body: 'bytes' } };
  const { sent } = openOffice(undefined, undefined, answers, [anOperatorMessage({ attachments })]);
  const aside = await panel();
  fireEvent.click(await within(aside).findByRole('button', { name: 'Save transfer.png 214 KB' }));
  await waitFor(() => expect(saved).toMatchObject([{ name: 'transfer.png' }]));
  expect(sent('GET /operator/attachments/31')[0]?.headers.get('authorization')).toBe('Bearer operator-secret');
  expect(aside.querySelector('img, iframe, object, embed')).toBeNull();
});
