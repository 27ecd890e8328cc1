import { partialMatchKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { LiveMessage } from '#contract/live/live.ts';
import { marketQuery, sessionQuery } from '../market/queries.ts';
import { balancesQuery } from '../trading-queries.ts';

/** What changes together is asked for together. */
const TOGETHER_MS = 100;
/** What everybody is told in the same moment is asked for within this time, by each at another moment. */
const SPREAD_MS = 2_000;
/** What prices do not say (the curve of the day, its volume, the speed of the clock) is asked for this often. */
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
/** What moves with the money of a member. */
const ofMoney: QueryKey[] = [['funds'], ['withdrawals'], ['income'], ['portfolio'], ['plans']];
/** What a notification may be about. */
const ofNotices: QueryKey[] = [['funds'], ['withdrawals'], ['income'], ['identity']];

type Told<Type extends LiveMessage['type']> = Extract<LiveMessage, { type: Type; data: unknown }>['data'];

/**
 * Brings what is on screen up to date with what the server tells: values it sends are put where they are shown, the rest
 * is asked for again. A tab that nobody looks at only remembers what is old; it asks when somebody comes back.
 */
export function keepUpToDate(client: QueryClient) {
  const soon = collect(client, () => TOGETHER_MS);
  const apart = collect(client, () => Math.random() * SPREAD_MS);
  let wholeMarketAt = Date.now();

  /** Shows a value; an answer that is on its way may be older than it, and is asked for anew. */
  const put = (queryKey: QueryKey, value: unknown) => {
    if (!isHidden()) client.setQueryData(queryKey, value);
    if (isHidden() || client.isFetching({ queryKey, exact: true }) > 0) soon.ask([queryKey]);
  };

  const showPrices = ({ market_time, stale, pairs }: Told<'prices'>) => {
    // The next ones come in a second.
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

  // Both are told at the beginning of each connection, too, and are mostly known by then.
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
    /** What happened before the server began to tell may be on no page yet. */
    askForAll: () => apart.ask([everything]),
    stop: () => {
      soon.stop();
      apart.stop();
    },
  };
}

/** What is old, gathered for a while so that it is asked for once. */
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
