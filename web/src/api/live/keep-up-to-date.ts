import { partialMatchKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { LiveMessage } from '#contract/live/live.ts';
import { marketQuery, sessionQuery } from '../market/queries.ts';
import { balancesQuery } from '../trading-queries.ts';

/** Changes within this time share one refetch. */
const TOGETHER_MS = 100;
/** Broadcast changes are refetched within this window, each client at a random time. */
const SPREAD_MS = 2_000;
/** How often what prices do not carry (the day's curve, its volume, the clock's speed) is refetched. */
const WHOLE_MARKET_MS = 30_000;

/** Any query. */
const everything: QueryKey = [];
/** What an opening or a settlement changes for everybody. */
const ofSession: QueryKey[] = [
  ['trading', 'tradable'],
  ['market', 'fees'],
  ['trading', 'trades'],
  ['portfolio'],
  ['plans'],
];
/** What changes with a member's money. */
const ofMoney: QueryKey[] = [['funds'], ['withdrawals'], ['income'], ['portfolio'], ['plans']];
/** What a notification may be about. */
const ofNotices: QueryKey[] = [['funds'], ['withdrawals'], ['income'], ['identity']];

type Told<Type extends LiveMessage['type']> = Extract<LiveMessage, { type: Type; data: unknown }>['data'];

/**
 * Applies live messages to what is on screen: values they carry are written to the cache, the rest is refetched. A
 * hidden tab only marks queries stale and refetches when it becomes visible.
 */
export function keepUpToDate(client: QueryClient) {
  const soon = collect(client, () => TOGETHER_MS);
  const apart = collect(client, () => Math.random() * SPREAD_MS);
  let wholeMarketAt = Date.now();

  /** Writes a value; a fetch already running may be older, so it is restarted. */
  const put = (queryKey: QueryKey, value: unknown) => {
    if (!isHidden()) client.setQueryData(queryKey, value);
    if (isHidden() || client.isFetching({ queryKey, exact: true }) > 0) soon.ask([queryKey]);
  };

  const showPrices = ({ market_time, stale, pairs }: Told<'prices'>) => {
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
    if (Date.now() - wholeMarketAt < WHOLE_MARKET_MS) return;
    wholeMarketAt = Date.now();
    apart.ask([marketQuery.queryKey, sessionQuery.queryKey]);
  };

  // Both are also sent at the start of each connection, and are mostly known by then.
  const showSession = (session: Told<'session'>) => {
    const known = client.getQueryData(sessionQuery.queryKey);
    put(sessionQuery.queryKey, session);
    if (session.state !== known?.state || session.opens_at !== known.opens_at) apart.ask(ofSession);
  };
  const showBalance = (balance: Told<'balance'>) => {
    const known = client.getQueryData(balancesQuery.queryKey);
    put(balancesQuery.queryKey, balance);
    const isKnown = balance.primary_wallet === known?.primary_wallet && balance.profit_wallet === known.profit_wallet;
    if (!isKnown) apart.ask(ofMoney);
  };

  const showTrades = ({ trades }: Told<'trade'>) => {
    if (trades === null) apart.ask([...ofSession, ['trading', 'trade']]);
    else
      soon.ask([['trading', 'trades'], ['portfolio'], ['plans'], ...trades.map(({ id }) => ['trading', 'trade', id])]);
  };

  const show = (message: LiveMessage) => {
    switch (message.type) {
      case 'prices':
        return showPrices(message.data);
      case 'session':
        return showSession(message.data);
      case 'balance':
        return showBalance(message.data);
      case 'notification':
        put(['notifications', 'unread'], message.data.unread);
        soon.ask([['notifications', 'list']]);
        if (message.data.added.length > 0) apart.ask(ofNotices);
        return;
      case 'trade':
        return showTrades(message.data);
      case 'ticket':
        return soon.ask([
          ['tickets', 'list'],
          ['tickets', 'unread'],
          ...message.data.ids.map((id) => ['tickets', 'thread', id]),
        ]);
      case 'resync':
        return apart.ask([everything]);
    }
  };

  return {
    show,
    /** Whatever happened before the stream began may be missing from any page. */
    askForAll: () => apart.ask([everything]),
    stop: () => {
      soon.stop();
      apart.stop();
    },
  };
}

/** Collects stale queries for a while, so that each is refetched once. */
function collect(client: QueryClient, waitMs: () => number) {
  const old = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const askNow = () => {
    timer = undefined;
    const queryKeys = [...old.values()];
    old.clear();
    void client.invalidateQueries({
      predicate: (query) => queryKeys.some((queryKey) => partialMatchKey(query.queryKey, queryKey)),
      refetchType: isHidden() ? 'none' : 'active',
    });
  };
  return {
    ask: (queryKeys: readonly QueryKey[]) => {
      for (const queryKey of queryKeys) old.set(JSON.stringify(queryKey), queryKey);
      timer ??= setTimeout(askNow, waitMs());
    },
    stop: () => clearTimeout(timer),
  };
}

const isHidden = () => document.visibilityState === 'hidden';
