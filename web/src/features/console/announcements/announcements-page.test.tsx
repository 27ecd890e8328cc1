import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AnnouncementProposal, OperatorAnnouncement } from '#contract/operator/announcements.ts';
import {
  approveShown,
  openForm,
  proposed,
  samuel,
  showConsolePage,
  signInAs,
  typeCode,
} from '../../../../test/console.ts';
import { addressNow } from '../../../../test/render.tsx';
import { listed, success } from '../../../../test/server.ts';
import { AnnouncementsPage, readUtc } from './announcements-page.tsx';

const anAnnouncement = (given: Partial<OperatorAnnouncement> = {}): OperatorAnnouncement => ({
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

function open(
  given: Partial<OperatorAnnouncement> = {},
  at = '/operator/announcements/4',
  loaded: OperatorAnnouncement[] = [anAnnouncement(given)],
) {
  return showConsolePage(AnnouncementsPage, at, {
    'GET /operator/announcements': listed([anAnnouncement(given)], loaded),
    'POST /operator/announcements': success({ announcement: anAnnouncement({ state: 'waiting' }), proposal: null }),
    'POST /operator/announcements/4/end': success(anAnnouncement({ state: 'ended' })),
  });
}
const panel = async () => within(await screen.findByRole('complementary', { name: 'Announcement 4' }));

beforeEach(() => signInAs({ role: 'support' }));

test('one is shown as members read it, as plain text, with its author and end', async () => {
  open();
  const shown = await panel();
  const text = shown.getByText(/Two hours without trading/);
  expect(text.textContent).toBe('Two hours without trading.\n<img src=x onerror=alert(1)>');
  expect(text.children).toHaveLength(0);
  expect(shown.getByText('Ida Moen, 4 Mar 2026, 11:58 UTC')).toBeDefined();
  expect(shown.getByText('8 Mar 2026, 16:00 UTC')).toBeDefined();
});

test('one of long ago opens by its number', async () => {
  open({ state: 'over' }, undefined, []);
  expect((await panel()).getByText('8 Mar 2026, 16:00 UTC')).toBeDefined();
});

test('another tab closes it: the same number is another proposal there', async () => {
  const { sentTo } = open();
  await panel();
  fireEvent.click(screen.getByRole('tab', { name: 'To approve' }));
  expect(addressNow()).toBe('/operator/announcements?view=proposed');
  expect(sentTo('GET /operator/announcements/proposals').some(({ url }) => url.includes('id=4'))).toBe(false);
});

test('ending one takes a confirmation', async () => {
  const { bodiesOf } = open();
  fireEvent.click((await panel()).getByRole('button', { name: 'End announcement' }));
  const asked = within(await screen.findByRole('dialog'));
  await waitFor(() => expect(document.activeElement).toBe(asked.getByRole('button', { name: 'Cancel' })));
  fireEvent.click(asked.getByRole('button', { name: 'End announcement' }));
  await waitFor(() => expect(bodiesOf('POST /operator/announcements/4/end')).toHaveLength(1));
});

test.each(['over', 'ended'] as const)('one in state %s cannot be ended', async (state) => {
  open({ state });
  expect((await panel()).queryByRole('button', { name: 'End announcement' })).toBeNull();
});

test('writing one names what is missing, and sends its times in UTC, with a code', async () => {
  signInAs({ role: 'admin' });
  const { sends } = open({}, '/operator/announcements');
  const { dialog, asked, type, send } = await openForm('New announcement', 'Publish announcement');
  expect(asked.getByText(/Never promise or suggest a return/)).toBeDefined();
  send();
  for (const words of ['Enter a title.', 'Enter the text.', 'Enter when it ends.', 'The code has 6 digits.']) {
    expect(asked.getByText(words)).toBeDefined();
  }
  type('Title', 'Sunday');
  type('Text', 'One.\nTwo.');
  const choose = (label: string, value: string) =>
    fireEvent.change(asked.getByLabelText(label, { selector: 'input' }), { target: { value } });
  choose('From', '2026-03-07');
  type('From, time UTC', '8:00');
  choose('To', '2026-03-08');
  type('To, time UTC', '4 pm');
  send();
  expect(asked.getByText('Enter a time such as 16:30.')).toBeDefined();
  type('To, time UTC', '16:30');
  typeCode(dialog);
  send();
  await sends('POST /operator/announcements', {
    title: 'Sunday',
    text: 'One.\nTwo.',
    from: '2026-03-07T08:00:00.000Z',
    to: '2026-03-08T16:30:00.000Z',
    otp: '123456',
  });
});

describe('a proposal by support', () => {
  const aProposal = (given: Partial<AnnouncementProposal> = {}): AnnouncementProposal => ({
    ...proposed,
    reference: 'AN-7M2QX4',
    reason: 'Maintenance on Sunday',
    title: 'Maintenance on Sunday',
    text: 'Two hours without trading.',
    from: null,
    to: '2026-03-08T16:00:00.000Z',
    announcement_id: null,
    ...given,
  });
  const openProposal = (given: Partial<AnnouncementProposal> = {}) =>
    showConsolePage(AnnouncementsPage, '/operator/announcements/6?view=proposed', {
      'GET /operator/announcements/proposals': success({ items: [aProposal(given)], next_cursor: null }),
      'POST /operator/announcements/proposals/6/approve': success(aProposal({ ...given, state: 'posted', version: 2 })),
    });
  const shownProposal = async () =>
    within(await screen.findByRole('complementary', { name: 'Proposed announcement AN-7M2QX4' }));

  test('is previewed as members would read it, and published by an admin with a code', async () => {
    signInAs({ role: 'admin' });
    const page = openProposal();
    const shown = await shownProposal();
    expect(shown.getByText('Two hours without trading.')).toBeDefined();
    expect(shown.getByText('on approval')).toBeDefined();
    const call = 'POST /operator/announcements/proposals/6/approve';
    await approveShown('Proposed announcement AN-7M2QX4', call, page);
  });

  test('can be withdrawn by its proposer, who leaves the decision to an admin', async () => {
    openProposal({ proposed_by: { id: samuel.id, name: samuel.name } });
    const shown = await shownProposal();
    expect(shown.getByText('You proposed it. Only admins decide.')).toBeDefined();
    expect(shown.getByRole('button', { name: 'Withdraw' })).toBeDefined();
    expect(shown.queryByRole('button', { name: 'Approve' })).toBeNull();
  });

  test('is announced in the form: an admin approves it', async () => {
    open({}, '/operator/announcements');
    const { asked } = await openForm('New announcement');
    expect(asked.getByText(/Members see it once an admin has approved it/)).toBeDefined();
    expect(asked.getByRole('button', { name: 'Propose announcement' })).toBeDefined();
  });
});

test.each([
  ['2026-03-04', '14:05', '2026-03-04T14:05:00.000Z'],
  ['2026-03-04', '9:05', '2026-03-04T09:05:00.000Z'],
  ['2026-13-04', '14:05', undefined],
  ['2026-03-04', '25:00', undefined],
  ['2026-03-04', 'noon', undefined],
  ['', '14:05', undefined],
])('%s at %s is %s', (day, time, at) => {
  expect(readUtc(day, time)).toBe(at);
});
