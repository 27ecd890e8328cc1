import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import type { TeamMember } from '#contract/team.ts';
import { queryOf, renderAt } from '../../../../test/render.tsx';
import { stubServer, success } from '../../../../test/server.ts';
import { anOverview, aTeamMember } from '../../../../test/team.ts';
import { signIn } from '../../../api/sign-in-state.ts';
import { TreePanel } from './tree-panel.tsx';

beforeEach(() => signIn('token', { id: '7', name: 'Anika Rao', referral_code: 'TW7K3QMX9D' } as User));

const leaf = { team_size: 0, directs: 0 };
const kabir = aTeamMember({ id: '12', name: 'Kabir Sethi', directs: 3, team_size: 3 });
const meera = aTeamMember({ id: '13', name: 'Meera Nair', ...leaf });
const joseph = aTeamMember({ id: '14', name: 'Joseph Mwangi', ...leaf });
const isha = aTeamMember({ id: '21', name: 'Isha Kulkarni', level: 2, ...leaf });
const daniel = aTeamMember({ id: '22', name: 'Daniel Owusu', level: 2, ...leaf });
const sofia = aTeamMember({ id: '23', name: 'Sofia Marino', level: 2, ...leaf });

type Page = { items: TeamMember[]; next_cursor: string | null };
/** Pages by branch and cursor. */
const branches: Record<string, Page> = {
  'me ': { items: [kabir, meera], next_cursor: 'c1' },
  'me c1': { items: [joseph], next_cursor: null },
  '12 ': { items: [isha, daniel], next_cursor: 'c2' },
  '12 c2': { items: [sofia], next_cursor: null },
};

function open(overview = anOverview(), change: Record<string, Page | undefined> = {}) {
  const pages = { ...branches, ...change };
  const asked: string[] = [];
  stubServer({
    'GET /auth/refer-list': (call) => {
      const { of = 'me', cursor = '' } = queryOf(call);
      const name = `${of} ${cursor}`;
      asked.push(name);
      const found = pages[name];
      return found ? success(found) : { status: 503, body: { status: 'error', message: 'Not ready.' } };
    },
    'GET /auth/team-info': (call) => {
      const { level, search } = queryOf(call);
      asked.push(`level ${level} ${search}`);
      return success(pages[`level ${level}`] ?? { items: [], next_cursor: null });
    },
  });
  renderAt('/team/team-analysis', <TreePanel overview={overview} />);
  return { asked, pages };
}

const withDirects = (directs: number) =>
  anOverview({
    levels: anOverview().levels.map((level, index) => (index === 0 ? { ...level, members: directs } : level)),
  });

const item = (name: RegExp) => screen.findByRole('treeitem', { name });
const names = () => screen.getAllByRole('treeitem').map((one) => one.textContent?.split(',')[0]);
const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key });
const focused = () => document.activeElement?.textContent?.split(',')[0];

test('the first branch is shown, and further ones are loaded when expanded', async () => {
  const { asked } = open();
  const row = await item(/^Kabir Sethi/);
  expect(asked).toEqual(['me ']);
  expect(row.getAttribute('aria-expanded')).toBe('false');
  expect([row.getAttribute('aria-level'), row.getAttribute('aria-posinset'), row.getAttribute('aria-setsize')]).toEqual(
    [...['2', '1', '8']],
  );
  fireEvent.click(within(row).getByText('Kabir Sethi'));
  await item(/^Isha Kulkarni/);
  expect(asked).toEqual(['me ', '12 ']);
  expect(row.getAttribute('aria-expanded')).toBe('true');
  expect(names()).toEqual([
    'Anika Rao',
    'Kabir Sethi',
    'Isha Kulkarni',
    'Daniel Owusu',
    '1 more direct referral',
    'Meera Nair',
  ]);
  fireEvent.click(within(row).getByText('Kabir Sethi'));
  expect(names()).toEqual(['Anika Rao', 'Kabir Sethi', 'Meera Nair']);
});

test('a member without referrals, or on the last level, cannot be expanded', async () => {
  const last = aTeamMember({ id: '12', name: 'Kabir Sethi', level: 10 });
  open(anOverview(), { 'me ': { items: [last, meera], next_cursor: null } });
  expect((await item(/^Kabir Sethi/)).hasAttribute('aria-expanded')).toBe(false);
  expect((await item(/^Meera Nair/)).hasAttribute('aria-expanded')).toBe(false);
});

test('the keys of a tree work: arrows, Home, End, Enter and letters', async () => {
  open();
  await item(/^Kabir Sethi/);
  const root = await item(/^Anika Rao/);
  expect(root.tabIndex).toBe(0);
  root.focus();
  press('ArrowDown');
  expect(focused()).toBe('Kabir Sethi');
  press('Enter');
  await item(/^Isha Kulkarni/);
  press('ArrowRight');
  expect(focused()).toBe('Isha Kulkarni');
  press('End');
  expect(focused()).toBe('Meera Nair');
  press('d');
  expect(focused()).toBe('Daniel Owusu');
  press('ArrowLeft');
  expect(focused()).toBe('Kabir Sethi');
  press('ArrowLeft');
  expect(screen.queryByRole('treeitem', { name: /^Isha/ })).toBeNull();
  press('Home');
  expect(focused()).toBe('Anika Rao');
  // only one item can be reached with Tab: the last one that had the focus
  expect(screen.getAllByRole('treeitem').map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1]);
});

test('collapsing a branch also collapses what is below it', async () => {
  open(anOverview(), { '12 ': { items: [{ ...isha, directs: 1 }], next_cursor: null } });
  fireEvent.click(within(await item(/^Kabir Sethi/)).getByText('Kabir Sethi'));
  const below = await item(/^Isha Kulkarni/);
  fireEvent.click(within(below).getByText('Isha Kulkarni'));
  expect(below.getAttribute('aria-expanded')).toBe('true');
  fireEvent.click(within(await item(/^Kabir Sethi/)).getByText('Kabir Sethi'));
  fireEvent.click(within(await item(/^Kabir Sethi/)).getByText('Kabir Sethi'));
  expect((await item(/^Isha Kulkarni/)).getAttribute('aria-expanded')).toBe('false');
});

test('more direct referrals are loaded from the footer, and the first of them is focused', async () => {
  const { asked } = open(withDirects(3));
  fireEvent.click(await screen.findByRole('button', { name: '1 more direct referral' }));
  await item(/^Joseph Mwangi/);
  expect(asked).toEqual(['me ', 'me c1']);
  await waitFor(() => expect(focused()).toBe('Joseph Mwangi'));
  expect(screen.queryByRole('button', { name: /more direct referral/ })).toBeNull();
});

test('more members of another branch are loaded from an item of the tree', async () => {
  open();
  fireEvent.click(within(await item(/^Kabir Sethi/)).getByText('Kabir Sethi'));
  const more = await item(/^1 more direct referral/);
  more.focus();
  press('Enter');
  await item(/^Sofia Marino/);
  await waitFor(() => expect(focused()).toBe('Sofia Marino'));
  expect(screen.queryByRole('treeitem', { name: /more direct referral/ })).toBeNull();
});

test('a branch that could not be loaded says so and can be retried', async () => {
  const { pages } = open(anOverview(), { '12 ': undefined });
  fireEvent.click(within(await item(/^Kabir Sethi/)).getByText('Kabir Sethi'));
  await screen.findByText('This branch could not be loaded.');
  pages['12 '] = { items: [isha], next_cursor: null };
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await item(/^Isha Kulkarni/)).toBeTruthy();
  expect(screen.queryByText('This branch could not be loaded.')).toBeNull();
});

test('a search covers all levels that have members, and its results expand like branches', async () => {
  const { asked } = open(anOverview(), {
    'level 1': { items: [kabir], next_cursor: null },
    'level 2': { items: [isha], next_cursor: 'x' },
  });
  await item(/^Kabir Sethi/);
  fireEvent.change(screen.getByLabelText('Name or Registered Id'), { target: { value: 'k' } });
  const found = within(await screen.findByRole('tree', { name: 'Members matching k' }));
  await waitFor(() => expect(asked.slice(1).sort()).toEqual(['level 1 k', 'level 2 k', 'level 3 k']));
  await waitFor(() =>
    expect(found.getAllByRole('treeitem').map((one) => one.querySelector('small')?.textContent)).toEqual([
      'TW9PD4VQ7M · level 1',
      'TW9PD4VQ7M · level 2',
    ]),
  );
  expect(screen.getByRole('link', { name: 'Level 2' }).getAttribute('href')).toBe('/team/level-team?level=2&search=k');
  fireEvent.click(found.getByText('Kabir Sethi'));
  expect(await item(/^Daniel Owusu/)).toBeTruthy();
});

test('a search without matches can be cleared, and expanded branches are still expanded', async () => {
  open();
  fireEvent.click(within(await item(/^Kabir Sethi/)).getByText('Kabir Sethi'));
  await item(/^Isha Kulkarni/);
  const field = screen.getByLabelText('Name or Registered Id') as HTMLInputElement;
  field.focus();
  fireEvent.change(field, { target: { value: 'zz' } });
  await screen.findByText('No members match “zz”');
  // further typing goes into the same field
  expect(document.activeElement).toBe(field);
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
  expect(await screen.findByRole('tree', { name: 'Your team' })).toBeTruthy();
  expect(field.value).toBe('');
  expect(await item(/^Isha Kulkarni/)).toBeTruthy();
});

test('a member without a team is shown how to invite instead', () => {
  open(anOverview({ total_members: 0 }));
  expect(screen.getByRole('button', { name: 'Invite' })).toBeTruthy();
  expect(screen.queryByRole('tree')).toBeNull();
});
