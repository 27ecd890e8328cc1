import { keepPreviousData } from '@tanstack/react-query';
import { trading } from '#contract/endpoints.ts';
import type { WalletType } from '#contract/rules.ts';
import type { StopPercents } from '#contract/trading/stops.ts';
import type { TradeState } from '#contract/trading/trading.ts';
import { call } from '../../api/call.ts';
import { pollEvery, pollUnlessLive, queryOf } from '../../api/query-of.ts';
import { useOwnChange, useRefreshOwn } from '../../api/trading-queries.ts';
import { useOnce } from '../../api/use-once.ts';

const LIVE_MS = 2_000;
const SLOW_MS = 10_000;

export type TradeFilter = { state?: TradeState; symbol?: string; cursor?: string; limit?: string };

/** Own trades, newest first. Open trades are polled, older pages are not. */
export const tradesQuery = (filter: TradeFilter) =>
  queryOf(['trading', 'trades', filter], trading.listTrades, {
    query: filter,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => {
      if (filter.cursor !== undefined) return false;
      // The unrealised result follows the price, which the server does not push per trade.
      const moves = query.state.data?.items.some(({ state }) => state === 'open' || state === 'settling');
      return moves ? pollEvery(LIVE_MS)(query) : pollUnlessLive(filter.state === 'settled' ? SLOW_MS : LIVE_MS)(query);
    },
  });

type PlaceInput = { tradeId: string; amount: number; wallet_type: WalletType } & Partial<StopPercents>;

/** The client reuses the key of a request without a response, so that the same values sent again cannot trade twice. */
export function usePlaceTrade() {
  const refresh = useRefreshOwn();
  return useOnce({
    mutationFn: (body: PlaceInput) => call(trading.placeTrade, { body }),
    onSuccess: () => void refresh(),
  });
}

/** All three at once: null removes a stop. */
export const useSetTradeStops = () =>
  useOwnChange(({ id, stops }: { id: string; stops: Partial<StopPercents> }) =>
    call(trading.setTradeStops, { params: { id }, body: stops }),
  );

export function useCancelTrade() {
  const refresh = useRefreshOwn();
  return useOnce({
    mutationFn: (id: string) => call(trading.cancelTrade, { params: { id } }),
    // Also after a refusal: the trade opened meanwhile, and the list must show it.
    onSettled: () => void refresh(),
  });
}

export const useCloseTrade = () => useOwnChange((id: string) => call(trading.closeTrade, { params: { id } }));
