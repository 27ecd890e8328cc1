import { QueryClient, type QueryKey, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveMessage } from '#contract/live/live.ts';
import { aPair, theSession as session } from '../../../test/trades.ts';
import { marketQuery, sessionQuery } from '../market/queries.ts';
import { balancesQuery } from '../trading-queries.ts';
import { keepUpToDate } from './keep-up-to-date.ts';

const { feed } = session;
const market = { pairs: [aPair('btc'), aPair('eth')], feed };
const prices = (rate: number): LiveMessage => ({
  type: 'prices',
  data: {
    market_time: '2026-03-04T14:06:00Z',
    stale: true,
    pairs: [{ apiname: 'btc', rate, stale: true, change_24h: 2, high_24h: rate, low_24h: 1 }],
  },
});

let client: QueryClient;
let screen: ReturnType<typeof keepUpToDate>;
let asked: string[];
let unsubscribe: (() => void)[];

/** A mounted query: its data, and every refetch from now on. */
function show(queryKey: QueryKey, data: unknown = 'old', queryFn = (): unknown => data): void {
  client.setQueryData(queryKey, data);
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: () => {
      asked.push(JSON.stringify(queryKey));
      return queryFn();
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  unsubscribe.push(observer.subscribe(() => {}));
}

const settle = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const hide = () => vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
const names = () => asked.map((key) => JSON.parse(key).slice(0, 2).join(' '));

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  client = new QueryClient();
  screen = keepUpToDate(client);
  asked = [];
  unsubscribe = [];
});
afterEach(() => {
  screen.stop();
  for (const end of unsubscribe) end();
  client.clear();
  vi.restoreAllMocks();
});

test('prices update the market list and the market clock without a request', async () => {
  show(marketQuery.queryKey, market);
  show(sessionQuery.queryKey, session);
  screen.apply(prices(61_000));
  const shown = client.getQueryData(marketQuery.queryKey);
  expect(shown?.pairs[0]).toEqual(
    aPair('btc', { rate: 61_000, stale: true, change_24h: 2, high_24h: 61_000, low_24h: 1 }),
  );
  expect(shown?.pairs[1]).toBe(market.pairs[1]);
  expect(shown?.feed).toEqual({ ...feed, at: '2026-03-04T14:06:00Z', stale: true });
  expect(client.getQueryData(sessionQuery.queryKey)).toMatchObject({
    state: 'open',
    market_time: '2026-03-04T14:06:00Z',
    feed: { stale: true },
  });
  await settle(5_000);
  expect(asked).toEqual([]);
});

test('prices that arrive before the list do not create one', () => {
  screen.apply(prices(61_000));
  expect(client.getQueryData(marketQuery.queryKey)).toBeUndefined();
});

test('what the price messages leave out is refetched twice a minute while they arrive', async () => {
  show(marketQuery.queryKey, market);
  show(sessionQuery.queryKey, session);
  for (let second = 0; second < 61; second += 1) {
    screen.apply(prices(61_000));
    await settle(1_000);
  }
  expect(names()).toEqual(['market pairs', 'market session', 'market pairs', 'market session']);
});

test('a balance is shown as received, and queries that depend on it are refetched once', async () => {
  show(balancesQuery.queryKey, { primary_wallet: 1, profit_wallet: 1 });
  show(['funds', 'wallet']);
  show(['income', 'earnings']);
  show(['tickets', 'unread']);
  const message = { type: 'balance', position: '1', data: { primary_wallet: 5, profit_wallet: 2.25 } } as const;
  screen.apply(message);
  expect(client.getQueryData(balancesQuery.queryKey)).toEqual({ primary_wallet: 5, profit_wallet: 2.25 });
  screen.apply(message);
  await settle(1_000);
  expect(names()).toEqual(['funds wallet', 'income earnings']);
});

test('messages that repeat what is known, as after each reconnect, cause no request', async () => {
  const balance = { primary_wallet: 1, profit_wallet: 1 };
  show(balancesQuery.queryKey, balance);
  show(sessionQuery.queryKey, session);
  show(['funds', 'wallet']);
  show(['trading', 'tradable']);
  screen.apply({ type: 'session', data: { ...session, market_time: '2026-03-04T15:00:00Z' } });
  screen.apply({ type: 'balance', position: '1', data: balance });
  await settle(10_000);
  expect(client.getQueryData(sessionQuery.queryKey)?.market_time).toBe('2026-03-04T15:00:00Z');
  expect(asked).toEqual([]);
});

test('an answer in flight when the balance changes is dropped, and not requested again', async () => {
  let answer = { primary_wallet: 1, profit_wallet: 1 };
  show(balancesQuery.queryKey, answer, async () => {
    const then = answer;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return then;
  });
  void client.refetchQueries({ queryKey: balancesQuery.queryKey });
  await settle(10);
  answer = { primary_wallet: 9, profit_wallet: 1 };
  screen.apply({ type: 'balance', position: '1', data: answer });
  await settle(2_000);
  expect(client.getQueryData(balancesQuery.queryKey)).toEqual(answer);
  expect(names()).toEqual(['trading balances']);
});

test('a notification is counted at once, and the pages it may concern are refetched', async () => {
  show(['notifications', 'unread'], 0);
  show(['notifications', 'list']);
  show(['funds', 'deposits', {}]);
  show(['withdrawals', 'one', '4']);
  const added = [{ id: '9', message: 'Deposit credited.', createdAt: '2026-03-04T14:05:00Z', read: false }];
  screen.apply({ type: 'notification', position: '1', data: { added, unread: 3 } });
  expect(client.getQueryData(['notifications', 'unread'])).toBe(3);
  await settle(1_000);
  expect(names()).toEqual(['notifications list', 'funds deposits', 'withdrawals one']);
});

test('reading notifications on another device refreshes only the count and the list', async () => {
  show(['notifications', 'unread'], 3);
  show(['notifications', 'list']);
  show(['funds', 'wallet']);
  screen.apply({ type: 'notification', position: '1', data: { added: [], unread: 0 } });
  expect(client.getQueryData(['notifications', 'unread'])).toBe(0);
  await settle(2_000);
  expect(names()).toEqual(['notifications list']);
});

test.each([[[{ id: '5', state: 'open' as const }]], [null]])(
  'trades %j change statement and income, also where no wallet’s balance does: a fee, a trade of a plan',
  async (trades) => {
    show(['funds', 'movements', {}]);
    show(['income', 'lines', 'compounding']);
    screen.apply({ type: 'trade', position: '1', data: { trades } });
    await settle(2000);
    expect(names()).toEqual(['funds movements', 'income lines']);
  },
);

test('when a trade changes, lists and its own page are refetched, not the page of another trade', async () => {
  show(['trading', 'trades', {}]);
  show(['trading', 'trade', '5']);
  show(['trading', 'trade', '6']);
  show(['portfolio']);
  screen.apply({ type: 'trade', position: '1', data: { trades: [{ id: '5', state: 'open' }] } });
  await settle(100);
  expect(names()).toEqual(['trading trades', 'trading trade', 'portfolio']);
});

test('after a broadcast, clients refetch at different times', async () => {
  show(['trading', 'trades', {}]);
  show(['trading', 'trade', '6']);
  screen.apply({ type: 'trade', position: '1', data: { trades: null } });
  await settle(999);
  expect(asked).toEqual([]);
  await settle(1);
  expect(names()).toEqual(['trading trades', 'trading trade']);
});

test('a session that opens is shown at once; queries that depend on it follow', async () => {
  show(sessionQuery.queryKey, { ...session, state: 'closed' });
  show(['trading', 'tradable']);
  screen.apply({ type: 'session', data: session });
  expect(client.getQueryData(sessionQuery.queryKey)).toEqual(session);
  await settle(1_000);
  expect(names()).toEqual(['trading tradable']);
});

test('a ticket message refreshes its own thread, the list and the count', async () => {
  show(['tickets', 'thread', '7']);
  show(['tickets', 'thread', '8']);
  show(['tickets', 'list', {}]);
  show(['tickets', 'unread']);
  screen.apply({ type: 'ticket', position: '1', data: { ids: ['7'] } });
  await settle(100);
  expect(asked).toEqual(['["tickets","thread","7"]', '["tickets","list",{}]', '["tickets","unread"]']);
});

test('after resync everything on screen is refetched once', async () => {
  show(['tickets', 'list', {}]);
  show(['team', 'overview']);
  screen.apply({ type: 'balance', position: '1', data: { primary_wallet: 5, profit_wallet: 2 } });
  screen.apply({ type: 'resync', position: '2' });
  await settle(2_000);
  expect(names()).toEqual(['tickets list', 'team overview']);
});

test('a hidden tab requests nothing and shows nothing new; its stale queries are marked', async () => {
  show(marketQuery.queryKey, market);
  show(balancesQuery.queryKey, { primary_wallet: 1, profit_wallet: 1 });
  show(['funds', 'wallet']);
  hide();
  screen.apply(prices(61_000));
  screen.apply({ type: 'balance', position: '1', data: { primary_wallet: 5, profit_wallet: 2 } });
  await settle(60_000);
  expect(asked).toEqual([]);
  expect(client.getQueryData(marketQuery.queryKey)).toBe(market);
  for (const queryKey of [balancesQuery.queryKey, ['funds', 'wallet']]) {
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
  }
});

test('heartbeat and ready messages change nothing', async () => {
  show(['funds', 'wallet']);
  screen.apply({ type: 'ready', position: '1' });
  screen.apply({ type: 'beat', position: '1' });
  await settle(10_000);
  expect(asked).toEqual([]);
});

test('once stopped it requests nothing', async () => {
  show(['funds', 'wallet']);
  screen.invalidateAll();
  screen.stop();
  await settle(10_000);
  expect(asked).toEqual([]);
});
