import { market, trading } from '#contract/endpoints.ts';
import { pollUnlessLive, queryOf } from '../query-of.ts';

/** Prices and the clock move all the time; a page in the background asks for nothing (the default of the client). */
const LIVE_MS = 2_000;

/** The pairs and the feed. Header, dialog and pages read it, so it is asked for once for all of them. */
export const marketQuery = queryOf(['market', 'pairs'], market.listMarket, {
  refetchInterval: pollUnlessLive(LIVE_MS),
});

/** The trading session and the market clock. */
export const sessionQuery = queryOf(['market', 'session'], trading.getSession, {
  refetchInterval: pollUnlessLive(LIVE_MS),
});
