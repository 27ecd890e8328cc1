import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import type { DeskAnnouncement } from '#contract/operator/announcements.ts';
import { signInAs } from '../../../../test/console.ts';
import { renderAt } from '../../../../test/render.tsx';
import { stubServer, success } from '../../../../test/server.ts';
import { AnnouncementsPage } from './announcements-page.tsx';
import { readUtc } from './queries.ts';

const anAnnouncement = (given: Partial<DeskAnnouncement> = {}): DeskAnnouncement => ({
  id: '4',
  title: 'Maintenance on Sunday',
  text: 'Two hours without trading.\n<img src=x onerror=alert(1)>',
  from: '2026-03-04T12:00:00.000Z',
  to: '2026-03-08T16:00:00.000Z',
  state: 'in_force',
  written_by: { id: '3', name: 'Ida Moen' },
  written_at: '2026-03-04T11:58:00.000Z',
  ended_by: null,
  ended_at: null,
  ...given,
});

function open(given: Partial<DeskAnnouncement> = {}, at = '/operator/announcements/4') {
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /operator/announcements': success({ items: [anAnnouncement(given)], next_cursor: null }),
    'POST /operator/announcements': success(anAnnouncement({ state: 'waiting' })),
    'POST /operator/announcements/4/end': success(anAnnouncement({ state: 'ended' })),
  };
  const calls = stubServer(answers);
  renderAt(
    at,
    <Routes>
      <Route path="/operator/announcements/*" element={<AnnouncementsPage />} />
    </Routes>,
  );
  return { answers, sentTo: (name: string) => calls.filter((call) => call.name === name).map(({ body }) => body) };
}
const panel = async () => within(await screen.findByRole('complementary', { name: 'Announcement 4' }));

beforeEach(() => signInAs({ role: 'support' }));

test('one is read as members read it, as text, with who wrote it and until when', async () => {
  open();
  const shown = await panel();
  const text = shown.getByText(/Two hours without trading/);
  expect(text.textContent).toBe('Two hours without trading.\n<img src=x onerror=alert(1)>');
  expect(text.children).toHaveLength(0);
  expect(shown.getByText('Ida Moen, 4 Mar 2026, 11:58 UTC')).toBeDefined();
  expect(shown.getByText('8 Mar 2026, 16:00 UTC')).toBeDefined();
});

test('it is ended after a question', async () => {
  const { sentTo } = open();
  fireEvent.click((await panel()).getByRole('button', { name: 'End it now' }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'End it now' }));
  await waitFor(() => expect(sentTo('POST /operator/announcements/4/end')).toHaveLength(1));
});

test.each(['over', 'ended'] as const)('one that is %s cannot be ended', async (state) => {
  open({ state });
  expect((await panel()).queryByRole('button', { name: 'End it now' })).toBeNull();
});

test('writing names what is missing, and sends times as they are in UTC', async () => {
  const { sentTo } = open({}, '/operator/announcements');
  fireEvent.click(await screen.findByRole('button', { name: 'Write' }));
  const asked = within(await screen.findByRole('dialog'));
  expect(asked.getByText(/Promise no return/)).toBeDefined();
  fireEvent.click(asked.getByRole('button', { name: 'Announce' }));
  for (const words of ['Give it a title.', 'Write the text.', 'Say until when.']) {
    expect(asked.getByText(words)).toBeDefined();
  }
  const fill = (label: string, value: string) => fireEvent.change(asked.getByLabelText(label), { target: { value } });
  fill('Title', 'Sunday');
  fill('Text', 'One.\nTwo.');
  fill('From, UTC', '2026-03-07T08:00');
  fill('To, UTC', '2026-03-08T16:30');
  fireEvent.click(asked.getByRole('button', { name: 'Announce' }));
  await waitFor(() =>
    expect(sentTo('POST /operator/announcements')).toEqual([
      { title: 'Sunday', text: 'One.\nTwo.', from: '2026-03-07T08:00:00.000Z', to: '2026-03-08T16:30:00.000Z' },
    ]),
  );
});

test('what the server refuses stands at its field, and nothing typed is lost', async () => {
  const { answers } = open({}, '/operator/announcements');
  answers['POST /operator/announcements'] = {
    status: 422,
    body: {
      status: 'error',
      code: 'period_over',
      message: 'The period is over already.',
      validation_results: [{ field: 'to', message: 'The period is over already.' }],
    },
  };
  fireEvent.click(await screen.findByRole('button', { name: 'Write' }));
  const asked = within(await screen.findByRole('dialog'));
  const fill = (label: string, value: string) => fireEvent.change(asked.getByLabelText(label), { target: { value } });
  fill('Title', 'Sunday');
  fill('Text', 'One.');
  fill('To, UTC', '2026-01-01T00:00');
  fireEvent.click(asked.getByRole('button', { name: 'Announce' }));
  expect(await asked.findByText('The period is over already.')).toBeDefined();
  expect((asked.getByLabelText('Title') as HTMLInputElement).value).toBe('Sunday');
});

test.each([
  ['2026-03-04T14:05', '2026-03-04T14:05:00.000Z'],
  ['2026-03-04T14:05:30', '2026-03-04T14:05:30.000Z'],
  ['2026-13-04T14:05', undefined],
  ['tomorrow', undefined],
  ['', undefined],
])('%j is read as %s', (text, at) => {
  expect(readUtc(text)).toBe(at);
});
