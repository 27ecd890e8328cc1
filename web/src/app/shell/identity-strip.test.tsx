import { useQuery } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { plans } from '#contract/endpoints.ts';
import { aUser } from '../../../test/account.ts';
import { renderAt, showPage } from '../../../test/render.tsx';
import { type Answers, refused, stubServer, success } from '../../../test/server.ts';
import { call } from '../../api/call.ts';
import { meQuery } from '../../api/me-query.ts';
import { getAccessToken, signIn } from '../../api/sign-in-state.ts';
import { readStored } from '../../api/storage.ts';
import { IdentityStrip } from './banners.tsx';

const name = { name: 'Confirm whose account this is' };
const message = 'This account was opened with a link.';
const unconfirmed = { 'POST /trading/plans': refused(403, 'confirm_identity', message) };
const beRefused = () =>
  act(() => call(plans.createPlan, { body: { amount: 10, wallet_type: 'primary' } as never }).catch(() => 0));

/** A page that shows the account. */
const Account = () => String(useQuery(meQuery).isPending);

let scrolled = 0;
beforeEach(() => {
  scrolled = 0;
  HTMLElement.prototype.scrollIntoView = () => {
    scrolled += 1;
  };
});
/** In the browser that opened the link. */
const open = (answers: Answers = {}, page = <IdentityStrip />) => {
  signIn('token', aUser(), { confirmation: 'secret' });
  return showPage('/', page, answers);
};

test('names the account a link opened, by name and Registered Id, and confirms with its own token', async () => {
  const { calls } = open({ 'POST /auth/confirm-identity': success({ confirm_identity: false }) });
  const strip = within(screen.getByRole('region', name));
  expect(strip.getByText('Signed in as Anika Rao. Not you?')).toBeDefined();
  expect(strip.getByText(/^A link opened the account TW7K3QMX9D\./)).toBeDefined();
  fireEvent.click(strip.getByRole('button', { name: 'This is me' }));
  await waitFor(() => expect(screen.queryByRole('region', name)).toBeNull());
  expect(calls.map(({ body }) => body)).toEqual([{ confirmation: 'secret' }]);
  expect(readStored('confirmation')).toBeUndefined();
  expect(getAccessToken()).toBe('token');
});

test('stays hidden when a read of the account was in flight during the confirmation: its answer is stale', async () => {
  const { sentTo } = open(
    { 'GET /auth/me': 'never', 'POST /auth/confirm-identity': success({ confirm_identity: false }) },
    <>
      <IdentityStrip />
      <Account />
    </>,
  );
  await waitFor(() => expect(sentTo('GET /auth/me')).toHaveLength(1));
  fireEvent.click(screen.getByRole('button', { name: 'This is me' }));
  await waitFor(() => expect(sentTo('GET /auth/me')).toHaveLength(2));
  expect(screen.queryByRole('region', name)).toBeNull();
});

test('Sign out ends the session and clears all of it', async () => {
  const { calls } = open({ 'POST /auth/logout': success(null) });
  fireEvent.click(screen.getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(getAccessToken()).toBeUndefined());
  expect(calls.map(({ name }) => name)).toEqual(['POST /auth/logout']);
  expect(readStored('confirmation')).toBeUndefined();
  expect(screen.queryByRole('region', name)).toBeNull();
});

test('is absent after a normal sign-in, even after a link in the same browser', () => {
  signIn('token', aUser(), { confirmation: 'secret' });
  signIn('own', aUser());
  renderAt('/', <IdentityStrip />);
  expect(screen.queryByRole('region', name)).toBeNull();
  expect(readStored('confirmation')).toBeUndefined();
});

test('a refused call scrolls it into view and focuses it', async () => {
  open(unconfirmed);
  expect(scrolled).toBe(0);
  await beRefused();
  expect(scrolled).toBe(1);
  expect(document.activeElement).toBe(screen.getByRole('region', name));
  await beRefused();
  expect(scrolled).toBe(2);
});

test('if another browser opened the link, it asks to sign in again', async () => {
  signIn('token', aUser());
  stubServer(unconfirmed);
  renderAt('/', <IdentityStrip />);
  await beRefused();
  const strip = within(await screen.findByRole('region', name));
  expect(strip.getByText(/^This account was opened with a link in another browser\./)).toBeDefined();
  expect(strip.queryByRole('button', { name: 'This is me' })).toBeNull();
  expect(strip.getByRole('button', { name: 'Sign out' })).toBeDefined();
});

test('asks to sign in again when its token was accepted and another browser’s is still missing', async () => {
  open({ 'POST /auth/confirm-identity': success({ confirm_identity: true }) });
  fireEvent.click(screen.getByRole('button', { name: 'This is me' }));
  expect(await screen.findByText(/^This account was opened with a link in another browser\./)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'This is me' })).toBeNull();
});

test('is confirmed in other tabs too', () => {
  open();
  expect(screen.getByRole('region', name)).toBeDefined();
  localStorage.removeItem('confirmation');
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'confirmation' })));
  expect(screen.queryByRole('region', name)).toBeNull();
});
