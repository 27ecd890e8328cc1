import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Announcement } from '#contract/operator/announcements.ts';
import { aUser } from '../../../test/account.ts';
import { renderAt } from '../../../test/render.tsx';
import { refused, settled, stubServer, success } from '../../../test/server.ts';
import { signIn, signOut } from '../../api/sign-in-state.ts';
import { readStored, writeStored } from '../../api/storage.ts';
import { AnnouncementBanner, AnnouncementList, useHoldBack } from './announcements.tsx';

const anAnnouncement = (given: Partial<Announcement> = {}): Announcement => ({
  id: '1',
  title: 'Maintenance on Sunday',
  text: 'Two hours without trading.\nMoney is not touched.',
  from: '2026-03-04T12:00:00.000Z',
  to: '2026-03-08T16:00:00.000Z',
  dismissed: false,
  ...given,
});

function open(items: Announcement[], page = <AnnouncementBanner />) {
  const server = { items };
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /announcements': () => success({ items: server.items }),
    'POST /announcements/1/dismiss': success(null),
  };
  const calls = stubServer(answers);
  signIn('token', aUser());
  const { container } = renderAt('/', page);
  return { server, answers, container, sent: (name: string) => calls.filter((call) => call.name === name).length };
}
const banner = async () => within(await screen.findByRole('region', { name: 'Announcement' }));
const list = async () => within(await screen.findByRole('region', { name: 'Announcements' }));

test('the newest announcement not yet dismissed is shown above the page, with the number of others', async () => {
  open([
    anAnnouncement({ id: '3', title: 'Read', dismissed: true }),
    anAnnouncement(),
    anAnnouncement({ id: '2', title: 'Older' }),
  ]);
  const shown = await banner();
  expect(shown.getByText('Maintenance on Sunday')).toBeDefined();
  expect(shown.getByText('and 1 more')).toBeDefined();
  expect(screen.queryByText('Read')).toBeNull();
  expect(screen.queryByText('Older')).toBeNull();
});

test('dismissing hides it at once and tells the server; the next one appears', async () => {
  const { sent } = open([anAnnouncement(), anAnnouncement({ id: '2', title: 'Older' })]);
  fireEvent.click((await banner()).getByRole('button', { name: 'Dismiss: Maintenance on Sunday' }));
  expect(await screen.findByText('Older')).toBeDefined();
  expect(screen.queryByText('Maintenance on Sunday')).toBeNull();
  expect(sent('POST /announcements/1/dismiss')).toBe(1);
});

test('the stored one shows before the server answers, unless it has ended, and goes with the answer', async () => {
  const { others, ...kept } = { ...anAnnouncement({ to: new Date(Date.now() + 60_000).toISOString() }), others: 1 };
  writeStored('announcement', { ...kept, others });
  const { answers } = open([]);
  expect(screen.getByText('Maintenance on Sunday')).toBeDefined();
  await waitFor(() => expect(screen.queryByText('Maintenance on Sunday')).toBeNull());
  expect(readStored('announcement')).toBeNull();

  cleanup();
  answers['GET /announcements'] = 'never';
  writeStored('announcement', { ...kept, others, to: new Date(Date.now() - 1).toISOString() });
  renderAt('/', <AnnouncementBanner />);
  expect(screen.queryByText('Maintenance on Sunday')).toBeNull();
});

test('the announcement shown is stored for the next visit, until it is dismissed or the member signs out', async () => {
  open([anAnnouncement(), anAnnouncement({ id: '2', title: 'Older' })]);
  const shown = await banner();
  await waitFor(() => expect(readStored('announcement')).toMatchObject({ id: '1', others: 1 }));
  fireEvent.click(shown.getByRole('button', { name: 'Dismiss: Maintenance on Sunday' }));
  await waitFor(() => expect(readStored('announcement')).toMatchObject({ id: '2', others: 0 }));
  signOut();
  expect(readStored('announcement')).toBeUndefined();
});

const Below = () => <p>{useHoldBack() ? 'held' : 'shown'}</p>;

test.each([
  ['nothing is stored about announcements', undefined, true],
  ['there was no announcement at the last visit', null, false],
  ['there was one', { ...anAnnouncement(), others: 0 }, false],
])('if %s, the page is hidden until the server answers, for 400 ms at most', async (_what, kept, isHeld) => {
  stubServer({ 'GET /announcements': 'never' });
  signIn('token', aUser());
  if (kept !== undefined) writeStored('announcement', kept);
  renderAt('/', <Below />);
  expect(screen.getByText(isHeld ? 'held' : 'shown')).toBeDefined();
  expect(await screen.findByText('shown')).toBeDefined();
});

test('if dismissing fails, announcements are refetched', async () => {
  const { server, answers, sent } = open([anAnnouncement()]);
  answers['POST /announcements/1/dismiss'] = refused(
    404,
    'announcement_not_found',
    'This announcement does not exist.',
  );
  const shown = await banner();
  server.items = [];
  fireEvent.click(shown.getByRole('button', { name: /^Dismiss/ }));
  await waitFor(() => expect(sent('GET /announcements')).toBe(2));
  await settled();
  expect(screen.queryByRole('region', { name: 'Announcement' })).toBeNull();
});

test('an operator with support access can read it but not dismiss it', async () => {
  open([anAnnouncement()]);
  signIn('token', aUser(), { openedBy: { name: 'Ida Moen', until: '2026-03-04T14:35:00.000Z' } });
  expect((await banner()).queryByRole('button', { name: /^Dismiss/ })).toBeNull();
});

test('its title expands and collapses the full text', async () => {
  open([anAnnouncement()]);
  const button = (await banner()).getByRole('button', { name: 'Maintenance on Sunday' });
  const text = () => document.getElementById(button.getAttribute('aria-controls') ?? '');
  expect([button.getAttribute('aria-expanded'), text()?.dataset.cut]).toEqual(['false', 'true']);
  fireEvent.click(button);
  expect([button.getAttribute('aria-expanded'), text()?.dataset.cut]).toEqual(['true', undefined]);
});

test('the notifications drawer lists all in force, dismissed or not, with their period', async () => {
  open([anAnnouncement({ dismissed: true }), anAnnouncement({ id: '2', title: 'Older' })], <AnnouncementList />);
  const items = (await list()).getAllByRole('listitem');
  expect(items).toHaveLength(2);
  expect(items[0]?.textContent).toContain('4 Mar 2026, 12:00 UTC – 8 Mar 2026, 16:00 UTC');
});

test('without announcements there is no list', async () => {
  const { sent } = open([], <AnnouncementList />);
  await waitFor(() => expect(sent('GET /announcements')).toBe(1));
  await settled();
  expect(screen.queryByRole('region', { name: 'Announcements' })).toBeNull();
});

const hostile = '<script>window.hit = 1</script>\n<img src=x onerror="window.hit = 1">\nhttps://evil.test';

test.each([
  ['banner', <AnnouncementBanner key="banner" />],
  ['list', <AnnouncementList key="list" />],
])('the %s shows the text as written: no tags, no links, line breaks kept', async (_where, page) => {
  const { container } = open([anAnnouncement({ title: '<b onclick=alert(1)>Sale</b>', text: hostile })], page);
  const text = await within(container).findByText(
    (_, element) => element?.textContent === hostile && element.tagName === 'P',
  );
  expect(text.children).toHaveLength(0);
  expect(within(container).getByText('<b onclick=alert(1)>Sale</b>', { exact: false })).toBeDefined();
  for (const tag of ['script', 'img', 'a']) expect(container.querySelector(tag)).toBeNull();
  expect('hit' in window).toBe(false);
});
