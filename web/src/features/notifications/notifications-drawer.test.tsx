import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createTexts } from '#contract/texts.ts';
import { renderAt } from '../../../test/render.tsx';
import { translate } from '../../api/texts.ts';
import { NotificationsDrawer, numberNotifications } from './notifications-drawer.tsx';
import { useUnreadCount } from './queries.ts';

vi.mock(import('../../api/texts.ts'), async (original) => ({
  ...(await original()),
  translate: vi.fn((text) => text),
}));

const notification = (id: number, read: boolean) => ({
  id: String(id),
  message: `Your trade ${id} settled.`,
  createdAt: '2026-03-04T14:03:00Z',
  read,
});

const Bell = () => <output>{useUnreadCount()}</output>;

/** `counted`: what the first count, read at once, waits for before it arrives. */
type Server = { readUpTo: number; marks: unknown[]; isDown: boolean; counted?: Promise<void> };

/** A server with notifications 12 down to 1, two per page, that stores what was read. */
function showDrawer(given: Partial<Server> & { count?: number } = {}) {
  const { count = 12, ...rest } = given;
  const server: Server = { readUpTo: 9, marks: [], isDown: false, ...rest };
  const unread = () => Math.max(0, count - server.readUpTo);
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    if (server.isDown) {
      return Response.json(
        { status: 'error', message: 'Not ready.' },
        { status: 503, headers: { 'x-request-id': 'req-58c1e0' } },
      );
    }
    if (init.method === 'POST') {
      const body = JSON.parse(String(init.body));
      server.marks.push(body);
      server.readUpTo = Number(body.up_to);
      return Response.json({ status: 'success', data: { unread: unread() } });
    }
    const search = new URL(input, 'http://app.test').searchParams;
    const counted = unread();
    if (search.get('limit') === '1' && counted > 0) await server.counted;
    const from = Number(search.get('cursor') ?? count);
    const ids = [from, from - 1].filter((id) => id > 0);
    const items = ids.map((id) => notification(id, id <= server.readUpTo));
    const next = from - 2;
    return Response.json({
      status: 'success',
      data: { items, next_cursor: next > 0 ? String(next) : null, unread: counted },
    });
  });
  renderAt(
    '/',
    <>
      <Bell />
      <NotificationsDrawer opened onClose={() => undefined} />
    </>,
  );
  return server;
}

test('notifications are shown in the reader’s language, including their values', async () => {
  const german = createTexts('de', { 'Your trade {0} settled.': 'Ihr Trade {0} ist abgerechnet.' });
  vi.mocked(translate).mockImplementation(german.translate);
  showDrawer();
  expect(await screen.findByText('Ihr Trade 12 ist abgerechnet.')).toBeTruthy();
  vi.mocked(translate).mockImplementation((text) => text);
});

const lines = () => within(screen.getByRole('dialog')).getAllByRole('listitem');

test('notifications are numbered across pages, each with its date, and unread ones labelled, not only coloured', async () => {
  showDrawer();
  await screen.findByText('Your trade 12 settled.');
  fireEvent.click(screen.getByRole('button', { name: /Earlier/ }));
  await screen.findByText('Your trade 9 settled.');
  expect(lines().map((line) => line.firstElementChild?.textContent)).toEqual(['1', '2', '3', '4']);
  expect(lines()[0]?.querySelector('time')?.textContent).toBe('4 Mar 2026, 14:03 UTC');
  expect(lines().map((line) => line.textContent?.includes('Unread'))).toEqual([true, true, true, false]);
  expect(screen.getByText('3 new')).toBeTruthy();
});

test('marking all as read sends the id of the newest one shown, and the bell follows', async () => {
  const server = showDrawer();
  await screen.findByText('Your trade 12 settled.');
  await waitFor(() => expect(document.querySelector('output')?.textContent).toBe('3'));
  fireEvent.click(screen.getByRole('button', { name: /Mark all as read/ }));
  await waitFor(() => expect(screen.queryByText(/ new$/)).toBeNull());
  expect(server.marks).toEqual([{ up_to: '12' }]);
  expect(document.querySelector('output')?.textContent).toBe('0');
  expect(screen.queryByRole('button', { name: /Mark all as read/ })).toBeNull();
});

test('the bell does not follow a count from before everything was marked as read', async () => {
  const counted = Promise.withResolvers<void>();
  showDrawer({ counted: counted.promise });
  await screen.findByText('Your trade 12 settled.');
  fireEvent.click(screen.getByRole('button', { name: /Mark all as read/ }));
  await waitFor(() => expect(document.querySelector('output')?.textContent).toBe('0'));
  counted.resolve();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(document.querySelector('output')?.textContent).toBe('0');
});

test('without notifications it says what will appear here', async () => {
  showDrawer({ count: 0 });
  expect(await screen.findByText('No notifications yet')).toBeTruthy();
});

test('a failure shows its request id and can be retried', async () => {
  const server = showDrawer({ isDown: true });
  const drawer = within(await screen.findByRole('dialog'));
  expect((await drawer.findByRole('alert')).textContent).toContain('req-58c1e0');
  server.isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Your trade 12 settled.')).toBeTruthy();
});

const item = (id: string) => ({ id, message: `m${id}`, createdAt: '2026-03-04T14:03:00Z', read: false });
const numbered = (pages: string[][]) =>
  numberNotifications(pages.map((ids) => ({ items: ids.map(item) }))).map(({ number, id }) => `${number}:${id}`);

test.each([
  ['one page counts from 1, newest first', [['9', '8', '7']], ['1:9', '2:8', '3:7']],
  [
    'numbering continues across pages',
    [
      ['9', '8'],
      ['7', '6'],
    ],
    ['1:9', '2:8', '3:7', '4:6'],
  ],
  [
    'an item on two pages is numbered once',
    [
      ['9', '8'],
      ['8', '7'],
    ],
    ['1:9', '2:8', '3:7'],
  ],
  ['an empty page has no numbers', [[]], []],
])('%s', (_name, pages, expected) => {
  expect(numbered(pages)).toEqual(expected);
});
