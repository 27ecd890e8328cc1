import { useQuery } from '@tanstack/react-query';
import { market, trading } from '#contract/endpoints.ts';
import type { MarketEntry } from '#contract/market.ts';
import { pollUnlessLive, queryOf } from '../query-of.ts';

/** Prices and the clock change all the time; a background page does not poll (the client's default). */
const LIVE_MS = 2_000;

/** The pairs and the feed. Header, dialog and pages share this one query. */
export const marketQuery = queryOf(['market', 'pairs'], market.listMarket, {
  refetchInterval: pollUnlessLive(LIVE_MS),
});

/** The market list's entry of `btc`; none before the list has loaded, or without a symbol. */
export function usePair(symbol: string | null): MarketEntry | undefined {
  const { data } = useQuery(marketQuery);
  return data?.pairs.find(({ displayName }) => displayName === `${symbol}/usdt`);
}

/** The trading session and the market clock. */
export const sessionQuery = queryOf(['market', 'session'], trading.getSession, {
  refetchInterval: pollUnlessLive(LIVE_MS),
});
