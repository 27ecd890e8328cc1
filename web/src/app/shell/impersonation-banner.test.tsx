import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aUser } from '../../../test/account.ts';
import { renderAt, showPage } from '../../../test/render.tsx';
import { success } from '../../../test/server.ts';
import { getAccessToken, signIn } from '../../api/sign-in-state.ts';
import { readStored } from '../../api/storage.ts';
import { OpenedBanner } from './impersonation-banner.tsx';

const name = { name: 'Support access' };

test('shows who opened the account and when access ends', () => {
  signIn('token', aUser(), { openedBy: { name: 'Ida Moen', until: '2026-03-04T14:35:00.000Z' } });
  renderAt('/', <OpenedBanner />);
  const banner = within(screen.getByRole('region', name));
  expect(banner.getByText('Support access by Ida Moen')).toBeDefined();
  expect(banner.getByText('Read-only until 14:35 UTC.')).toBeDefined();
});

test('its button ends the session and hides the banner', async () => {
  signIn('token', aUser(), { openedBy: { name: 'Ida Moen', until: '2026-03-04T14:35:00.000Z' } });
  const { calls } = showPage('/', <OpenedBanner />, { 'POST /auth/logout': success(null) });
  fireEvent.click(screen.getByRole('button', { name: 'End access' }));
  await waitFor(() => expect(screen.queryByRole('region', name)).toBeNull());
  expect(calls.map(({ name }) => name)).toEqual(['POST /auth/logout']);
  expect(getAccessToken()).toBeUndefined();
  expect(readStored('openedBy')).toBeUndefined();
});

test('is absent for the member, even after an impersonation in the same browser', () => {
  signIn('token', aUser(), { openedBy: { name: 'Ida Moen', until: '2026-03-04T14:35:00.000Z' } });
  signIn('own', aUser());
  renderAt('/', <OpenedBanner />);
  expect(screen.queryByRole('region', name)).toBeNull();
});
