import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aUser } from '../../../test/account.ts';
import { aroundThePage } from '../../../test/console.ts';
import { renderAt, showPage } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { getAccessToken, signIn } from '../../api/sign-in-state.ts';
import { readStored } from '../../api/storage.ts';
import { SessionState } from '../../ui/frame/session-state.tsx';
import { HaltBanner, OpenedBanner } from './banners.tsx';

const session = aroundThePage()['GET /trading/session'].body.data;

test('while trading is halted it shows why, and that open trades can be closed', async () => {
  const halt = { reason: 'Prices of an exchange are wrong.', at: '2026-03-04T14:00:00.000Z' };
  stubServer({ 'GET /trading/session': success({ ...session, halt }) });
  renderAt('/', <HaltBanner />);
  const banner = within(await screen.findByRole('region', { name: 'Trading is halted' }));
  expect(
    banner.getByText(
      /^Prices of an exchange are wrong\.You cannot place trades for now\. Open trades continue, and you can close them at any time\.$/,
    ),
  ).toBeDefined();
});

test('while trading is not halted there is no banner', async () => {
  showPage(
    '/',
    <>
      <HaltBanner />
      <SessionState named />
    </>,
    { 'GET /trading/session': success(session) },
  );
  await screen.findByText('Session open');
  expect(screen.queryByRole('region', { name: 'Trading is halted' })).toBeNull();
});

const name = { name: 'Support access' };

test('support access shows who opened the account and when access ends', () => {
  signIn('token', aUser(), { openedBy: { name: 'Ida Moen', until: '2026-03-04T14:35:00.000Z' } });
  renderAt('/', <OpenedBanner />);
  const banner = within(screen.getByRole('region', name));
  expect(banner.getByText('Support access by Ida Moen')).toBeDefined();
  expect(banner.getByText('Read-only until 14:35 UTC.')).toBeDefined();
});

test('the button of support access ends the session and hides the banner', async () => {
  signIn('token', aUser(), { openedBy: { name: 'Ida Moen', until: '2026-03-04T14:35:00.000Z' } });
  const { calls } = showPage('/', <OpenedBanner />, { 'POST /auth/logout': success(null) });
  fireEvent.click(screen.getByRole('button', { name: 'End access' }));
  await waitFor(() => expect(screen.queryByRole('region', name)).toBeNull());
  expect(calls.map(({ name }) => name)).toEqual(['POST /auth/logout']);
  expect(getAccessToken()).toBeUndefined();
  expect(readStored('openedBy')).toBeUndefined();
});

test('support access is not shown to the member, even after an impersonation in the same browser', () => {
  signIn('token', aUser(), { openedBy: { name: 'Ida Moen', until: '2026-03-04T14:35:00.000Z' } });
  signIn('own', aUser());
  renderAt('/', <OpenedBanner />);
  expect(screen.queryByRole('region', name)).toBeNull();
});
