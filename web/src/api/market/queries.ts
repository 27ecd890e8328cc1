import { queryOptions } from '@tanstack/react-query';
import { call } from '../call.ts';
import { endpoints } from '../endpoints.ts';
import { pollUnlessLive } from '../poll.ts';

/** Prices and the clock move all the time; a page in the background asks for nothing (the default of the client). */
const LIVE_MS = 2_000;

/** The pairs and the feed. Header, dialog and pages read it, so it is asked for once for all of them. */
export const marketQuery = queryOptions({
  queryKey: ['market', 'pairs'],
  queryFn: ({ signal }) => call(endpoints.market.listMarket, { signal }),
  refetchInterval: pollUnlessLive(LIVE_MS),
});

/** The trading session and the market clock. */
export const sessionQuery = queryOptions({
  queryKey: ['market', 'session'],
  queryFn: ({ signal }) => call(endpoints.trading.getSession, { signal }),
  refetchInterval: pollUnlessLive(LIVE_MS),
});
