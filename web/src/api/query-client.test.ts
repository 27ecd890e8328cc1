import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { trading } from '#contract/endpoints.ts';
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
