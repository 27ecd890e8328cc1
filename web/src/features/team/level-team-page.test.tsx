import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { addressNow, renderAt } from '../../../test/render.tsx';
import { savedFiles } from '../../../test/saved-files.ts';
import { stubServer, success } from '../../../test/server.ts';
import { anOverview, aTeamMember } from '../../../test/team.ts';
import { LevelTeamPage } from './level-team-page.tsx';

/** Answers the overview without a level, and a page of the level with one; each level has two pages. */
const open = (at = '/team/level-team') => {
  const calls = stubServer({
    'GET /auth/team-info': ({ url }) => {
      const query = new URLSearchParams(url.split('?')[1]);
      const level = query.get('level');
      if (level === null) return success(anOverview());
      const name = `Level ${level} ${query.get('cursor') ?? 'first'}`;
      const next_cursor = query.has('cursor') ? null : 'second';
      return success({ items: [aTeamMember({ name, level: Number(level) })], next_cursor, total: 2 });
    },
  });
  renderAt(at, <LevelTeamPage />);
  return calls;
};

async function openLevel(first: string, at?: string) {
  const calls = open(at);
  await screen.findByText(first);
  return calls;
}

test('the ten levels are shown with their number of members, and the first is chosen', async () => {
  await openLevel('Level 1 first');
  const radios = within(screen.getByRole('group', { name: /^Level:/ })).getAllByRole('radio') as HTMLInputElement[];
  const shown = ['18', '221', '33', '40', '50', '60', '70', '80', '90', '100'];
  const cardsOf = (part: string) => radios.map((radio) => radio.closest('label')?.querySelector(part)?.textContent);
  await waitFor(() => expect(cardsOf('b').map((level, index) => `${level}${cardsOf('small')[index]}`)).toEqual(shown));
  for (const name of [/^1 ?, 8 members$/, /^2 ?, 21 members$/, /^10 ?, 0 members$/]) {
    expect(screen.getByRole('radio', { name })).toBeTruthy();
  }
  expect(radios.findIndex(({ checked }) => checked)).toBe(0);
});

test('choosing a level starts at its first page and is kept in the address', async () => {
  await openLevel('Level 1 first');
  fireEvent.click(screen.getByRole('button', { name: 'Earlier' }));
  await screen.findByText('Level 1 second');
  fireEvent.click(screen.getByRole('radio', { name: /^2 ?,/ }));
  expect(await screen.findByText('Level 2 first')).toBeTruthy();
  expect(screen.getByRole('table', { name: 'Members of level 2' })).toBeTruthy();
  expect(addressNow()).toBe('/team/level-team?level=2');
  fireEvent.click(await screen.findByRole('radio', { name: /^1 ?, 8/ }));
  await screen.findByText('Level 1 first');
  expect(addressNow()).toBe('/team/level-team');
});

test('rows of one level never appear under the name of another', async () => {
  await openLevel('Level 3 first', '/team/level-team?level=3');
  fireEvent.click(screen.getByRole('radio', { name: /^2 ?,/ }));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Members of level 2' })).toBeTruthy());
  expect(screen.queryByText('Level 3 first')).toBeNull();
  await screen.findByText('Level 2 first');
});

test('the CSV has the members of the level who match the search', async () => {
  const saved = savedFiles();
  const calls = await openLevel('Level 3 first', '/team/level-team?level=3&search=kab');
  fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  const asked = calls.map(({ url }) => url.split('?')[1]).filter((query) => query?.includes('limit='));
  expect(asked).toEqual(['search=kab&limit=100&level=3', 'search=kab&limit=100&cursor=second&level=3']);
});

test.each(['0', '11', '2x', ''])('an address with level %j shows the first level', async (level) => {
  open(`/team/level-team?level=${level}`);
  expect(await screen.findByText('Level 1 first')).toBeTruthy();
});
