import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import { rowsOf } from '../../../test/reading.ts';
import { addressNow, renderAt } from '../../../test/render.tsx';
import { savedFiles } from '../../../test/saved-files.ts';
import { refused, stubServer, success } from '../../../test/server.ts';
import { anOverview, aTeamMember } from '../../../test/team.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { ReferralTeamPage } from './referral-team-page.tsx';

const LIST = 'GET /auth/refer-list';
const page = (...items: unknown[]) => success({ items, next_cursor: null, total: items.length });
const members = [
  aTeamMember(),
  aTeamMember({ id: '13', name: 'Meera Nair', active: false, volume: 0, team_size: 0, directs: 0 }),
];

beforeEach(() => signIn('token', { id: '7', name: 'Anika Rao', referral_code: 'TW7K3QMX9D' } as User));

const open = (answers: Parameters<typeof stubServer>[0] = {}, at = '/team/referral-team') => {
  const calls = stubServer({ 'GET /auth/team-info': success(anOverview()), [LIST]: page(...members), ...answers });
  renderAt(at, <ReferralTeamPage />);
  return { asked: () => calls.filter(({ name }) => name === LIST).map(({ url }) => url.split('?')[1]) };
};

test('each direct referral has name and id, masked contacts, own volume, team and activity', async () => {
  open();
  await screen.findByText('Kabir Sethi');
  expect(rowsOf(screen.getByRole('table', { name: 'Direct referrals' }))).toEqual([
    ['Kabir SethiTW9PD4VQ7M', '••••••4127k•••@t•••.example', '20 Feb 2026', '$3,420.00', '613 direct', 'Active'],
    ['Meera NairTW9PD4VQ7M', '••••••4127k•••@t•••.example', '20 Feb 2026', '$0', '–', 'Not active'],
  ]);
  expect(await screen.findByText('Last 30 days, up to the session of 3 Mar 2026')).toBeTruthy();
});

test('before the first settled session volume is unknown, and the page says when it will be shown', async () => {
  open({ 'GET /auth/team-info': success(anOverview({ as_of: null })) });
  expect(await screen.findByText('Volume and bonus are shown after the first settled session.')).toBeTruthy();
  await screen.findByText('Kabir Sethi');
  expect(rowsOf(screen.getByRole('table'))[0]?.[3]).toBe('–');
});

test('a search waits for a pause in typing, is kept in the address, and can be cleared', async () => {
  const { asked } = open({ [LIST]: page() });
  const field = screen.getByLabelText('Name or Registered Id');
  fireEvent.change(field, { target: { value: 'ka' } });
  fireEvent.change(field, { target: { value: ' kab ' } });
  expect(await screen.findByText('No members match “kab”')).toBeTruthy();
  expect(addressNow()).toBe('/team/referral-team?search=kab');
  expect(asked()).toEqual(['sort=joined', 'search=kab&sort=joined']);
  fireEvent.click(screen.getByRole('button', { name: /^Clear/ }));
  expect(await screen.findByText('No referrals yet')).toBeTruthy();
  expect((field as HTMLInputElement).value).toBe('');
});

test.each([
  ['Member', 'name'],
  ['Own volume', 'volume'],
  ['Team', 'team'],
])('the column header %j sorts the list by %s', async (head, sort) => {
  const { asked } = open();
  const table = await screen.findByRole('table');
  fireEvent.click(within(table).getByRole('button', { name: head }));
  await waitFor(() => expect(asked().at(-1)).toBe(`sort=${sort}`));
  expect(addressNow()).toBe(`/team/referral-team?sort=${sort}`);
});

test('a list too long to sort falls back to the order of joining, and says why', async () => {
  const tooLong = refused(422, 'team_list_too_long', 'A list of this length is ordered by joining only.');
  const asked: string[] = [];
  stubServer({
    'GET /auth/team-info': success(anOverview()),
    [LIST]: ({ url }) => {
      asked.push(url.split('?')[1] ?? '');
      return asked.at(-1)?.includes('volume') ? tooLong : page(...members);
    },
  });
  renderAt('/team/referral-team?sort=volume', <ReferralTeamPage />);
  // First, because on a busy machine the toast is gone before the list has loaded.
  expect(await screen.findByText('A list of this length is ordered by joining only.')).toBeTruthy();
  expect(await screen.findByText('Kabir Sethi')).toBeTruthy();
  expect(asked).toEqual(['sort=volume', 'sort=joined']);
  expect(addressNow()).toBe('/team/referral-team');
});

test('an unknown order in the address is the order of joining', async () => {
  const { asked } = open({}, '/team/referral-team?sort=mobile');
  await screen.findByText('Kabir Sethi');
  expect(asked()).toEqual(['sort=joined']);
});

test('the CSV has all members who match the search, page after page, in the order of joining', async () => {
  const saved = savedFiles();
  const pages = [
    page(),
    success({ items: [aTeamMember()], next_cursor: 'after12', total: 2 }),
    success({ items: [aTeamMember({ id: '13', name: '=1+1' })], next_cursor: null, total: 2 }),
  ];
  const { asked } = open({ [LIST]: () => pages.shift() ?? {} }, '/team/referral-team?search=x&sort=name');
  await screen.findByText('No members match “x”');
  fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(asked().slice(1)).toEqual(['search=x&limit=100', 'search=x&limit=100&cursor=after12']);
  const lines = ((await saved[0]?.file.text()) ?? '').trim().split('\r\n');
  expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(['Kabir Sethi', "'=1+1"]);
});

test('a member without referrals is shown how to invite', async () => {
  open({ [LIST]: page() });
  await screen.findByText('No referrals yet');
  fireEvent.click(screen.getAllByRole('button', { name: 'Invite' })[1] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite someone' }));
  expect(dialog.getByText(`${window.location.origin}/register?referralCode=TW7K3QMX9D`)).toBeTruthy();
  expect(dialog.getByRole('img', { name: 'QR code of your invitation link' })).toBeTruthy();
});
