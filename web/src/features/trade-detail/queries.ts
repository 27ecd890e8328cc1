import { trading } from '#contract/endpoints.ts';
import type { TradeDetail } from '#contract/trading/trade-detail.ts';
import { pollEvery, queryOf } from '../../api/query-of.ts';

const POLL_MS = 5_000;

/** One trade with all details; a finished one is not polled. */
export const tradeDetailQuery = (id: string) =>
  queryOf(['trading', 'trade', id], trading.getTrade, {
    params: { id },
    retry: false,
    refetchInterval: (query) => (isOver(query.state.data) ? false : pollEvery(POLL_MS)(query)),
  });

const isOver = (detail: TradeDetail | undefined): boolean =>
  detail?.trade.state === 'settled' || detail?.trade.state === 'cancelled';
