import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Opening } from '#contract/accounts/profile.ts';
import { anOpening } from '../../../test/account.ts';
import { showPage } from '../../../test/render.tsx';
import { refused, success } from '../../../test/server.ts';
import { OpeningsPanel } from './support-access-panel.tsx';

const open = (openings: Opening[]) => {
  showPage('/profile', <OpeningsPanel />, { 'GET /profile/openings': success(openings) });
};
const rows = async () => (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);

test('shows who opened the account, why, when and for how long', async () => {
  open([anOpening({ id: '6', ended_at: null }), anOpening(), anOpening({ id: '4', ended_at: '2026-03-04T14:05:20Z' })]);
  expect(await rows()).toEqual([
    'Ida MoenTicket Q-7M2QX44 Mar 2026, 14:05 UTC · open until 14:35 UTC',
    'Ida MoenTicket Q-7M2QX44 Mar 2026, 14:05 UTC · 12 minutes',
    'Ida MoenTicket Q-7M2QX44 Mar 2026, 14:05 UTC · 1 minute',
  ]);
});

test('a long list is collapsed', async () => {
  open(Array.from({ length: 5 }, (_, index) => anOpening({ id: String(index + 1) })));
  expect(await rows()).toHaveLength(3);
  fireEvent.click(screen.getByRole('button', { name: 'Show all 5' }));
  expect(await rows()).toHaveLength(5);
});

test('without any access it says so in words', async () => {
  open([]);
  expect(await screen.findByText(/^No support access yet/)).toBeDefined();
});

test('a list that could not be loaded is not shown as empty', async () => {
  showPage('/profile', <OpeningsPanel />, { 'GET /profile/openings': refused(500, 'internal', 'Broken.') });
  expect(await screen.findByText('This could not be loaded. Try again.')).toBeDefined();
});
