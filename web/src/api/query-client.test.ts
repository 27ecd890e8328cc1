import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { account, trading } from '#contract/endpoints.ts';
import { currentToasts, dismissToast } from '../ui/frame/toast.ts';
import { call } from './call.ts';
import { createQueryClient } from './query-client.ts';

/** The connection is lost, and the browser knows it. */
const isOnline = { now: false };
const fetched = vi.fn(() =>
  isOnline.now ? Promise.resolve(Response.json({ status: 'success', data: {} })) : Promise.reject(new TypeError('cut')),
);

beforeEach(() => {
  vi.mocked(console.error).mockImplementation(() => undefined);
  vi.stubGlobal('fetch', fetched);
  isOnline.now = false;
  onlineManager.setOnline(false);
});
afterEach(() => {
  onlineManager.setOnline(true);
  for (const { id } of currentToasts()) dismissToast(id);
  vi.mocked(console.error).mockClear();
});

const comeBack = () => {
  isOnline.now = true;
  onlineManager.setOnline(true);
};

test('an action without a connection is refused at once, and never sent later', async () => {
  const client = createQueryClient();
  client.mount();
  const body = { tradeId: 'btc', amount: 5, wallet_type: 'primary' } as const;
  const place = new MutationObserver(client, { mutationFn: () => call(trading.placeTrade, { body }) });
  place.mutate().catch(() => undefined);
  await expect.poll(() => place.getCurrentResult()).toMatchObject({ isError: true, error: { status: 0 } });
  expect(currentToasts().map(({ title }) => title)).toEqual(['No connection. Please try again.']);
  fetched.mockClear();
  comeBack();
  await client.resumePausedMutations();
  expect(fetched).not.toHaveBeenCalled();
  client.unmount();
});

test.each([
  ['a change without an answer', 'no answer', 2],
  ['a change whose answer is a fault', Response.json({}, { status: 502 }), 2],
  ['a refused change', Response.json({ message: 'No.' }, { status: 409 }), 1],
])('after %s, what is on screen is loaded again if the change may have been made', async (_, answer, reads) => {
  onlineManager.setOnline(true);
  const client = createQueryClient();
  const read = vi.fn(() => Promise.resolve('as the server has it'));
  const seen = new QueryObserver(client, { queryKey: ['identity', 'me'], queryFn: read });
  onTestFinished(seen.subscribe(() => undefined));
  await expect.poll(() => seen.getCurrentResult().isSuccess).toBe(true);
  fetched.mockImplementationOnce(() =>
    answer instanceof Response ? Promise.resolve(answer.clone()) : Promise.reject(new TypeError('cut')),
  );
  const mutationFn = () => call(account.updateProfile, { body: { name: 'Anika Rao', mobile_number: '+919876543210' } });
  await new MutationObserver(client, { mutationFn }).mutate().catch(() => undefined);
  await expect.poll(() => client.isFetching()).toBe(0);
  expect(read).toHaveBeenCalledTimes(reads);
});

test('a query without a connection fails visibly, and is refetched once the connection is back', async () => {
  const client = createQueryClient();
  client.mount();
  const seen = new QueryObserver(client, {
    queryKey: ['balance'],
    queryFn: () => call(trading.getWalletBalance),
    retryDelay: 0,
  });
  const end = seen.subscribe(() => undefined);
  await expect.poll(() => seen.getCurrentResult().isError).toBe(true);
  comeBack();
  await expect.poll(() => seen.getCurrentResult().data).toEqual({});
  end();
  client.unmount();
});

describe('what changes while a page loads', () => {
  /** A page whose first load was read before a change, and arrives after it. */
  function loadSlowly() {
    const client = createQueryClient();
    const first = Promise.withResolvers<string>();
    const queryFn = vi.fn(() => Promise.resolve('changed')).mockReturnValueOnce(first.promise);
    const seen = new QueryObserver(client, { queryKey: ['balance'], queryFn });
    onTestFinished(seen.subscribe(() => undefined));
    return { client, queryFn, seen, arrive: () => first.resolve('read before') };
  }

  test('is loaded once after it, however often it changed', async () => {
    const { client, queryFn, seen, arrive } = loadSlowly();
    const reloads = [1, 2, 3].map(() => client.invalidateQueries({ queryKey: ['balance'] }));
    arrive();
    await Promise.all(reloads);
    expect(seen.getCurrentResult().data).toBe('changed');
    expect(queryFn).toHaveBeenCalledTimes(2);
  });

  test('leaves it stale in a hidden tab', async () => {
    const { client, queryFn, seen, arrive } = loadSlowly();
    const marked = client.invalidateQueries({ queryKey: ['balance'], refetchType: 'none' });
    arrive();
    await marked;
    expect(seen.getCurrentResult()).toMatchObject({ data: 'read before', isStale: true });
    expect(queryFn).toHaveBeenCalledTimes(1);
  });

  test('is not asked for again when it could not be loaded', async () => {
    const client = createQueryClient();
    const queryFn = vi.fn(() => Promise.reject(new TypeError('refused')));
    const seen = new QueryObserver(client, { queryKey: ['balance'], queryFn });
    onTestFinished(seen.subscribe(() => undefined));
    await client.invalidateQueries({ queryKey: ['balance'] });
    expect(seen.getCurrentResult().isError).toBe(true);
    expect(queryFn).toHaveBeenCalledTimes(1);
  });
});
