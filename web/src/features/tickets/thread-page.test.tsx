import { useQuery } from '@tanstack/react-query';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import type { Ticket, TicketMessage } from '#contract/tickets/tickets.ts';
import { onRoute, renderAt } from '../../../test/render.tsx';
import { savedFiles } from '../../../test/saved-files.ts';
import { type Answer, type Answers, refused, settled, stubServer, success } from '../../../test/server.ts';
import { aFile, aMessage, anAnswer, aTicket, countDrafts, withFonts } from '../../../test/tickets.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { unreadTicketsQuery } from './queries.ts';
import { ThreadPage } from './thread-page.tsx';

const THREAD = 'GET /ticket/ticket-msg';
const REPLY = 'POST /ticket/reply-user';
const READ = 'POST /ticket/read';
beforeEach(() => {
  withFonts();
  signIn('secret', { id: '7', name: 'Anika Rao' } as User);
});
afterEach(() => {
  sessionStorage.clear();
  vi.restoreAllMocks();
});

const reply = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Write a reply' });
const type = (text: string) => fireEvent.change(reply(), { target: { value: text } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const lines = () => [...screen.getByRole('log').querySelectorAll('p, article')].map((line) => line.textContent);
/** The separators between messages. */
const rules = () => [...screen.getByRole('log').children].filter(({ tagName }) => tagName === 'P');

const Count = () => <output aria-label="Unread">{useQuery(unreadTicketsQuery).data}</output>;

/** A server with one thread, which a test can extend. */
function open(messages: TicketMessage[], given: Partial<Ticket> = {}, answers: Answers = {}, path = '/query/7') {
  const thread = { ticket: aTicket(given), messages };
  const calls = stubServer({
    [THREAD]: () => success(thread),
    [READ]: () => {
      for (const message of thread.messages) message.seen = true;
      return success({ unread: 0 });
    },
    ...answers,
  });
  const rendered = renderAt(path, onRoute('/query/:id', <ThreadPage />));
  return { ...rendered, thread, calls, sent: (name: string) => calls.filter((call) => call.name === name) };
}

/** The same, once its messages are shown. */
async function openRead(...given: Parameters<typeof open>) {
  const opened = open(...given);
  await screen.findByRole('log');
  return opened;
}

describe('the thread', () => {
  test('shows who wrote what and when, day by day, and that support has seen it', async () => {
    open([
      aMessage({ message: 'I sent it.' }),
      anAnswer({ message: 'Hello Anika, no.' }),
      aMessage({ id: '3', message: 'Thanks.', created_at: '2026-03-05T08:00:00Z', seen: false }),
    ]);
    await screen.findByRole('log', { name: 'Messages' });
    expect([...screen.getByRole('log').children].map((line) => line.textContent)).toEqual([
      '4 March 2026',
      '13:59YouI sent it.',
      'Devika, support14:02Hello Anika, no.',
      '5 March 2026',
      '08:00YouThanks.Sent',
    ]);
  });

  test('its header has subject, state, reference, topic and creation date', async () => {
    open([aMessage()], { about: { kind: 'withdrawal', id: '4', label: 'WD-7M2QX4' } });
    expect(await screen.findByRole('heading', { name: 'Deposit not credited yet' })).toBeTruthy();
    expect(screen.getByText('Answered')).toBeTruthy();
    expect(screen.getByText(/^Q-4F71K2$/).parentElement?.textContent).toBe(
      'Q-4F71K2 · Deposit · about WD-7M2QX4 · opened 4 Mar, 13:59 UTC',
    );
    expect(screen.getByRole('link', { name: 'WD-7M2QX4' }).getAttribute('href')).toBe(
      '/fund/withdrawal-history?withdrawal=4',
    );
    expect(screen.getByRole('link', { name: 'All queries' }).getAttribute('href')).toBe('/query');
  });

  test('that does not exist, or is another member’s, is not found; a malformed id sends no request', async () => {
    const missing = refused(404, 'ticket_not_found', 'This ticket does not exist.');
    const { unmount } = open([], {}, { [THREAD]: missing });
    expect(await screen.findByText('Query not found')).toBeTruthy();
    unmount();
    const { calls } = open([], {}, {}, '/query/abc');
    expect(screen.getByText('Query not found')).toBeTruthy();
    await settled();
    expect(calls).toEqual([]);
  });

  test('that could not be loaded can be retried', async () => {
    open([], {}, { [THREAD]: refused(503, 'not_ready', 'Not ready.') });
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Write a reply' })).toBeNull();
  });
});

describe('new replies', () => {
  test('start below the line New, are reported as seen, and keep the line', async () => {
    const { sent } = open([
      aMessage(),
      anAnswer(),
      anAnswer({ id: '3', message: 'First', seen: false }),
      anAnswer({ id: '4', message: 'Second', seen: false }),
    ]);
    await waitFor(() => expect(sent(READ).map(({ body }) => body)).toEqual([{ ticketId: '7', up_to: '4' }]));
    await waitFor(() => expect(sent(THREAD).length).toBeGreaterThan(1));
    expect(rules().map((line) => line.textContent)).toEqual(['4 March 2026', 'New']);
    expect(rules()[1]?.nextElementSibling?.textContent).toContain('First');
  });

  test('are no longer counted once seen, though a count from before arrives later', async () => {
    const counted = Promise.withResolvers<Answer>();
    let isSeen = false;
    stubServer({
      [THREAD]: success({ ticket: aTicket(), messages: [anAnswer({ seen: false })] }),
      [READ]: () => {
        isSeen = true;
        return success({ unread: 0 });
      },
      'GET /ticket/tickets': () => (isSeen ? success({ items: [], next_cursor: null, unread: 0 }) : counted.promise),
    });
    const count = () => screen.getByRole('status', { name: 'Unread' }).textContent;
    renderAt(
      '/query/7',
      <>
        {onRoute('/query/:id', <ThreadPage />)}
        <Count />
      </>,
    );
    await waitFor(() => expect(count()).toBe('0'));
    counted.resolve(success({ items: [], next_cursor: null, unread: 1 }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(count()).toBe('0');
  });

  test('stay unseen in a hidden tab', async () => {
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const { sent } = open([aMessage(), anAnswer({ seen: false })]);
    await screen.findByText('Hello Anika, no.');
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(sent(READ)).toEqual([]);
    visibility.mockReturnValue('visible');
    fireEvent(document, new Event('visibilitychange'));
    await waitFor(() => expect(sent(READ).length).toBe(1));
  });

  test('are not marked by an operator with support access, which would be refused', async () => {
    signIn('secret', { id: '7', name: 'Anika Rao' } as User, {
      openedBy: { name: 'Op', until: '2026-03-04T15:00:00Z' },
    });
    const { sent } = open([aMessage(), anAnswer({ seen: false })]);
    await screen.findByText('Hello Anika, no.');
    await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sent(READ)).toEqual([]);
  });
});

describe('a reply', () => {
  test('is sent by the button, appears at once, reopens the thread, and removes the line New', async () => {
    const { sent, thread } = open(
      [aMessage(), anAnswer({ seen: false })],
      { state: 'closed' },
      {
        [REPLY]: () => {
          const written = aMessage({ id: '5', message: 'Thanks.', seen: false });
          thread.messages = [...thread.messages, written];
          thread.ticket = { ...thread.ticket, state: 'open' };
          return success(written);
        },
      },
    );
    expect(await screen.findByText('This query is closed. A reply reopens it.')).toBeTruthy();
    type('  Thanks.\n');
    press('Send');
    await waitFor(() => expect(lines()).toContain('13:59YouThanks.Sent'));
    expect(sent(REPLY).map(({ body }) => body)).toEqual([{ ticketId: '7', message: 'Thanks.' }]);
    expect(sent(REPLY)[0]?.headers.get('idempotency-key')).toMatch(/^[\w-]{43}$/);
    expect(reply().value).toBe('');
    await waitFor(() => expect(screen.queryByText(/A reply opens it again/)).toBeNull());
    expect(screen.getByText('Open')).toBeTruthy();
    expect(rules().map((line) => line.textContent)).toEqual(['4 March 2026']);
  });

  test('is sent by Ctrl or Cmd with Enter; Enter alone is a new line', async () => {
    const { sent } = await openRead([aMessage()], {}, { [REPLY]: success(aMessage({ id: '5', message: 'A' })) });
    type('A');
    fireEvent.keyDown(reply(), { key: 'Enter' });
    await settled();
    expect(sent(REPLY)).toEqual([]);
    fireEvent.keyDown(reply(), { key: 'Enter', ctrlKey: true });
    await waitFor(() => expect(sent(REPLY).length).toBe(1));
    await waitFor(() => expect(reply().value).toBe(''));
    type('B');
    fireEvent.keyDown(reply(), { key: 'Enter', metaKey: true });
    await waitFor(() => expect(sent(REPLY).length).toBe(2));
  });

  test('leaves the focus in the field, or where it has gone before the response', async () => {
    await openRead([aMessage()], {}, { [REPLY]: success(aMessage({ id: '5' })) });
    for (const there of [reply(), screen.getByRole('link', { name: 'All queries' })]) {
      type('A');
      press('Send');
      there.focus();
      await waitFor(() => expect(reply().value).toBe(''));
      expect(document.activeElement).toBe(there);
    }
  });

  test('without text is not sent', async () => {
    const { sent } = await openRead([aMessage()]);
    type(' \n');
    press('Send');
    expect(screen.getByText('Write a message.')).toBeTruthy();
    expect(document.activeElement).toBe(reply());
    await settled();
    expect(sent(REPLY)).toEqual([]);
  });

  test('can have files attached', async () => {
    const { sent } = await openRead([aMessage()], {}, { [REPLY]: success(aMessage({ id: '5' })) });
    type('Here');
    fireEvent.change(screen.getByTestId('files'), { target: { files: [aFile('slip.pdf', 'application/pdf', 'abc')] } });
    await screen.findByText('slip.pdf');
    press('Send');
    await waitFor(() => expect(screen.queryByText('slip.pdf')).toBeNull());
    expect(sent(REPLY)[0]?.body).toMatchObject({
      attachments: [{ name: 'slip.pdf', type: 'application/pdf', content: 'YWJj' }],
    });
  });

  test('that was refused is still there, with the reason', async () => {
    const words = 'This file cannot be attached.';
    await openRead([aMessage()], {}, { [REPLY]: refused(422, 'attachment_refused', words, 'attachments.0') });
    type('Here');
    press('Send');
    expect(await screen.findByText(words, { selector: 'p[role=alert]' })).toBeTruthy();
    expect(reply().value).toBe('Here');
  });

  test('half written survives leaving the page', async () => {
    const { unmount } = await openRead([aMessage()]);
    type('Half');
    unmount();
    await openRead([aMessage()]);
    expect(reply().value).toBe('Half');
  });

  test('whose response arrives after leaving the page is no draft, even back on the page, unless changed', async () => {
    for (const [typed, left] of [
      [undefined, ''],
      ['And another.', 'And another.'],
    ] as const) {
      const held = Promise.withResolvers<Answer>();
      const { unmount, sent } = await openRead([aMessage()], {}, { [REPLY]: () => held.promise });
      type('Sent slowly');
      press('Send');
      await waitFor(() => expect(sent(REPLY).length).toBe(1));
      unmount();
      await openRead([aMessage()]);
      if (typed !== undefined) type(typed);
      held.resolve(success(aMessage({ id: '5', message: 'Sent slowly' })));
      await waitFor(() => expect([reply().value, countDrafts()]).toEqual([left, left === '' ? 0 : 1]));
      cleanup();
    }
  });

  test('near the maximum length shows a count', async () => {
    await openRead([aMessage()]);
    type('a'.repeat(4_500));
    expect(screen.getByText('4,500 of 5,000 characters')).toBeTruthy();
  });
});

describe('an attachment', () => {
  const attachments = [{ id: '31', name: 'transfer.png', type: 'image/png' as const, bytes: 219_136 }];
  const FILE = 'GET /ticket/attachments/31';

  test('is saved as a file, requested with the token in the header, and never displayed', async () => {
    const saved = savedFiles();
    const { sent } = await openRead([aMessage({ attachments })], {}, { [FILE]: { body: 'bytes' } });
    press('Save transfer.png 214 KB');
    await waitFor(() => expect(saved).toMatchObject([{ name: 'transfer.png' }]));
    expect(sent(FILE)[0]?.headers.get('authorization')).toBe('Bearer secret');
    expect(sent(FILE)[0]?.url).not.toContain('secret');
    expect(screen.getByRole('log').querySelector('img, a, iframe, object, embed')).toBeNull();
  });

  test('that could not be downloaded is reported', async () => {
    await openRead([aMessage({ attachments })], {}, { [FILE]: 'no answer' });
    press(/^Save transfer\.png/);
    expect(await screen.findByText('No connection. Please try again.')).toBeTruthy();
  });
});
