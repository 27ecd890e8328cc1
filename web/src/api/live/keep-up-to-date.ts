import { partialMatchKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { LiveMessage } from '#contract/live/live.ts';
import { marketQuery, sessionQuery } from '../market/queries.ts';
import { balancesQuery } from '../trading-queries.ts';

/** Changes within this time share one refetch. */
const BATCH_MS = 100;
/** Broadcast changes are reloaded within this window, each client at a random time. */
const JITTER_MS = 2_000;
/** How often what prices do not carry (the day's curve, its volume, the clock's speed) is reloaded. */
const FULL_MARKET_MS = 30_000;

/** Any query. */
const allQueries: QueryKey = [];
/** What an opening or a settlement changes for everybody. */
const sessionKeys: QueryKey[] = [
  ['trading', 'tradable'],
  ['market', 'fees'],
  ['trading', 'trades'],
  ['portfolio'],
  ['plans'],
];
/** What changes with a member's money. */
const moneyKeys: QueryKey[] = [['funds'], ['withdrawals'], ['income'], ['portfolio'], ['plans']];
/** What a notification may be about. */
const notificationKeys: QueryKey[] = [['funds'], ['withdrawals'], ['income'], ['identity']];

type Payload<Type extends LiveMessage['type']> = Extract<LiveMessage, { type: Type; data: unknown }>['data'];

/**
 * Applies live messages to what is on screen: values they carry are written to the cache, the rest is reloaded. A
 * hidden tab only marks queries stale and reloads when it becomes visible.
 */
export function keepUpToDate(client: QueryClient) {
  const batched = createInvalidator(client, () => BATCH_MS);
  const staggered = createInvalidator(client, () => Math.random() * JITTER_MS);
  let fullMarketAt = Date.now();

  /** Writes a value. A fetch already running, as while the page loads, may bring an older one: it ends first. */
  const setValue = async (queryKey: QueryKey, value: unknown) => {
    if (isHidden()) return batched.invalidate([queryKey]);
    if (client.isFetching({ queryKey, exact: true }) > 0) await client.cancelQueries({ queryKey, exact: true });
    client.setQueryData(queryKey, value);
  };

  const applyPrices = ({ market_time, stale, pairs }: Payload<'prices'>) => {
    // The next ones arrive within a second.
    if (isHidden()) return;
    const prices = new Map(pairs.map((pair) => [pair.apiname, pair]));
    client.setQueryData(sessionQuery.queryKey, (session) => {
      return session && { ...session, market_time, feed: { ...session.feed, at: market_time, stale } };
    });
    client.setQueryData(marketQuery.queryKey, (market) => {
      if (market === undefined) return undefined;
      const known = market.pairs.map((pair) => ({ ...pair, ...prices.get(pair.apiname) }));
      return { pairs: known, feed: { ...market.feed, at: market_time, stale } };
    });
    if (Date.now() - fullMarketAt < FULL_MARKET_MS) return;
    fullMarketAt = Date.now();
    staggered.invalidate([marketQuery.queryKey, sessionQuery.queryKey]);
  };

  // Both are also sent at the start of each connection, and are mostly known by then.
  const applySession = (session: Payload<'session'>) => {
    const known = client.getQueryData(sessionQuery.queryKey);
    void setValue(sessionQuery.queryKey, session);
    if (session.state !== known?.state || session.opens_at !== known.opens_at) staggered.invalidate(sessionKeys);
  };
  const applyBalance = (balance: Payload<'balance'>) => {
    const known = client.getQueryData(balancesQuery.queryKey);
    void setValue(balancesQuery.queryKey, balance);
    const isKnown = balance.primary_wallet === known?.primary_wallet && balance.profit_wallet === known.profit_wallet;
    if (!isKnown) staggered.invalidate(moneyKeys);
  };

  const applyTrades = ({ trades }: Payload<'trade'>) => {
    if (trades === null) staggered.invalidate([...sessionKeys, ...moneyKeys, ['trading', 'trade']]);
    else batched.invalidate([...moneyKeys, ['trading', 'trades'], ...trades.map(({ id }) => ['trading', 'trade', id])]);
  };

  const apply = (message: LiveMessage) => {
    switch (message.type) {
      case 'prices':
        return applyPrices(message.data);
      case 'session':
        return applySession(message.data);
      case 'balance':
        return applyBalance(message.data);
      case 'notification':
        void setValue(['notifications', 'unread'], message.data.unread);
        batched.invalidate([['notifications', 'list']]);
        if (message.data.added.length > 0) staggered.invalidate(notificationKeys);
        return;
      case 'trade':
        return applyTrades(message.data);
      case 'ticket':
        return batched.invalidate([
          ['tickets', 'list'],
          ['tickets', 'unread'],
          ...message.data.ids.map((id) => ['tickets', 'thread', id]),
        ]);
      case 'resync':
        return staggered.invalidate([allQueries]);
    }
  };

  return {
    apply,
    /** Whatever happened before the stream began may be missing from any page. */
    invalidateAll: () => staggered.invalidate([allQueries]),
    stop: () => {
      batched.stop();
      staggered.stop();
    },
  };
}

/** Collects stale queries for a while, so that each is reloaded once. */
function createInvalidator(client: QueryClient, waitMs: () => number) {
  const staleKeys = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    timer = undefined;
    const queryKeys = [...staleKeys.values()];
    staleKeys.clear();
    void client.invalidateQueries({
      predicate: (query) => queryKeys.some((queryKey) => partialMatchKey(query.queryKey, queryKey)),
      refetchType: isHidden() ? 'none' : 'active',
    });
  };
  return {
    invalidate: (queryKeys: readonly QueryKey[]) => {
      for (const queryKey of queryKeys) staleKeys.set(JSON.stringify(queryKey), queryKey);
      timer ??= setTimeout(flush, waitMs());
    },
    stop: () => clearTimeout(timer),
  };
}

const isHidden = () => document.visibilityState === 'hidden';
