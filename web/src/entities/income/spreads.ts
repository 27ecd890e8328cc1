import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import { market } from '#contract/endpoints.ts';
import { opensNow, type SessionTimes } from '../../api/market/opens-now.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { queryOf } from '../../api/query-of.ts';
import { t } from '../../api/texts.ts';
import { formatBps } from './fees.ts';

/** The spread of every asset, now and from the next opening on. Public. */
export const spreadsQuery = queryOf(['market', 'spreads'], market.listSpreads, { pollMs: 10_000 });

export type Spread = DataOf<typeof market.listSpreads>['items'][number];

/** From the next session to open. */
const nextSpread = ({ spread_bps, next_bps }: Spread): number => next_bps ?? spread_bps;

/** The spread of a trade placed now: this session's if it opens in it, otherwise that of the next opening. */
export const spreadNow = (spread: Spread, session: SessionTimes): number =>
  opensNow(session) ? spread.spread_bps : nextSpread(spread);

function useSpread(symbol: string | null): Spread | undefined {
  const { data } = useQuery(spreadsQuery);
  return data?.items.find((spread) => spread.symbol === symbol);
}

/** For a trade placed now, in basis points; undefined while loading. */
export function useTradeSpread(symbol: string | null): number | undefined {
  const spread = useSpread(symbol);
  const { data: session } = useQuery(sessionQuery);
  return spread && session && spreadNow(spread, session);
}

/** For a plan created now, which trades from the next opening on. */
export function usePlanSpread(symbol: string | null): number | undefined {
  const spread = useSpread(symbol);
  return spread && nextSpread(spread);
}

/** The spread in force: that of the session that opened last. */
export const useCurrentSpread = (symbol: string): number | undefined => useSpread(symbol)?.spread_bps;

/** `spreadText(10) === 'half of 0.10% when it buys and when it sells'` */
export const spreadText = (bps: number | undefined): string =>
  bps === undefined ? '–' : bps === 0 ? 'none' : t`half of ${formatBps(bps)} when it buys and when it sells`;

/** Half the spread, paid on each side. `formatHalfSpread(10) === '0.05%'`, `formatHalfSpread(25) === '0.125%'` */
export const formatHalfSpread = (bps: number): string => `${(bps / 200).toFixed(bps % 2 === 0 ? 2 : 3)}%`;
