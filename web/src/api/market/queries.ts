import { market, trading } from '#contract/endpoints.ts';
import { pollUnlessLive, queryOf } from '../query-of.ts';

/** Prices and the clock change all the time; a background page does not poll (the client's default). */
const LIVE_MS = 2_000;

/** The pairs and the feed. Header, dialog and pages share this one query. */
export const marketQuery = queryOf(['market', 'pairs'], market.listMarket, {
  refetchInterval: pollUnlessLive(LIVE_MS),
});

/** The trading session and the market clock. */
export const sessionQuery = queryOf(['market', 'session'], trading.getSession, {
  refetchInterval: pollUnlessLive(LIVE_MS),
});
