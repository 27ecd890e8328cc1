import { queryOptions } from '@tanstack/react-query';
import type { TradeDetail } from '#contract/trading/trade-detail.ts';
import { call } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { pollEvery } from '../../api/poll.ts';

const POLL_MS = 5_000;

/** One trade with everything about it; one that is over does not change any more. */
export const tradeDetailQuery = (id: string) =>
  queryOptions({
    queryKey: ['trading', 'trade', id],
    queryFn: ({ signal }) => call(endpoints.trading.getTrade, { params: { id }, signal }),
    retry: false,
    refetchInterval: (query) => (isOver(query.state.data) ? false : pollEvery(POLL_MS)(query)),
  });

const isOver = (detail: TradeDetail | undefined): boolean =>
  detail?.trade.state === 'settled' || detail?.trade.state === 'cancelled';
