import { useQuery } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import { liveCloses } from '#contract/live/live-rules.ts';
import { stubSockets } from '../../../test/live.ts';
import { renderAt } from '../../../test/render.tsx';
import { type Call, stubServer, success } from '../../../test/server.ts';
import { currentToasts } from '../../ui/frame/toast.ts';
import { isLive } from '../query-of.ts';
import { onSessionEnd, signIn, signOut, useSignedIn } from '../sign-in-state.ts';
import { balancesQuery } from '../trading-queries.ts';
import { useLive } from './use-live.ts';

const anika = { id: '7', name: 'Anika Rao' } as User;
let sockets: ReturnType<typeof stubSockets>;
let calls: Call[];

function Balance() {
  useLive();
  return <p>Fund {useQuery(balancesQuery).data?.primary_wallet}</p>;
}

/** Like the shell: mounted while somebody is signed in. */
const Page = () => (useSignedIn() ? <Balance /> : <p>Signed out</p>);

const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const last = () => sockets.at(-1) as (typeof sockets)[number];
const asked = () => calls.filter(({ name }) => name === 'GET /auth/wallet-balance').length;

beforeEach(async () => {
  vi.useFakeTimers();
  sockets = stubSockets();
  calls = stubServer({ 'GET /auth/wallet-balance': success({ primary_wallet: 100, profit_wallet: 0 }) });
  signIn('secret', anika);
});

async function open() {
  const rendered = renderAt('/dashboard', <Page />);
  await later(0);
  return rendered;
}

async function openReady() {
  await open();
  await act(async () => last().begin());
}

test('a balance that changes elsewhere is shown without reloading', async () => {
  await open();
  expect(screen.getByText('Fund 100')).toBeTruthy();
  await act(async () => last().begin());
  await act(async () =>
    last().receive({ type: 'balance', position: '2', data: { primary_wallet: 350, profit_wallet: 0 } }),
  );
  await later(0);
  expect(screen.getByText('Fund 350')).toBeTruthy();
});

test('what happened while the page loaded is refetched once, when the server is ready', async () => {
  await open();
  expect(asked()).toBe(1);
  await act(async () => last().begin());
  await later(2_000);
  expect(asked()).toBe(2);
});

test('what a resumed connection receives is not refetched', async () => {
  await openReady();
  await later(2_000);
  await act(async () => last().end());
  expect(isLive()).toBe(false);
  await later(1_000);
  await act(async () => last().begin());
  expect(isLive()).toBe(true);
  await later(5_000);
  expect(asked()).toBe(2);
});

test('without a connection the app polls, and shows no error', async () => {
  await open();
  await act(async () => last().end());
  expect(isLive()).toBe(false);
  expect(currentToasts()).toEqual([]);
});

test('a session ended elsewhere ends here as after a 401', async () => {
  const ended = vi.fn();
  const forget = onSessionEnd(ended);
  await openReady();
  await act(async () => last().end(liveCloses.signedOut));
  await later(1_000);
  expect(screen.getByText('Signed out')).toBeTruthy();
  expect(ended).toHaveBeenCalledTimes(1);
  expect(currentToasts().map(({ title }) => title)).toEqual(['Please sign in.']);
  forget();
});

test('signing out here does not show that the session was ended', async () => {
  await openReady();
  await act(async () => last().end(liveCloses.signedOut));
  await act(async () => signOut());
  await later(10_000);
  expect(currentToasts()).toEqual([]);
});

test('a new sign-in has its own connection, and the end of the old session does not close it', async () => {
  await openReady();
  await act(async () => signIn('other', anika));
  await later(0);
  expect(sockets).toHaveLength(2);
  expect(sockets[0]?.isClosed).toBe(true);
  last().open();
  expect(last().said[0]).toMatchObject({ token: 'other' });
  expect(last().said[0]).not.toHaveProperty('since');
});

test('after sign-out nothing is connected, requested or retried', async () => {
  await openReady();
  await act(async () => signOut());
  expect(last().isClosed).toBe(true);
  expect(isLive()).toBe(false);
  const before = asked();
  await later(600_000);
  expect(sockets).toHaveLength(1);
  expect(asked()).toBe(before);
});

test('mounted twice, as in development, it opens one socket', async () => {
  renderAt(
    '/dashboard',
    <StrictMode>
      <Page />
    </StrictMode>,
  );
  await later(0);
  expect(sockets).toHaveLength(1);
  expect(sockets[0]?.isClosed).toBe(false);
});
