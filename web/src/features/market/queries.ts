import { queryOptions } from '@tanstack/react-query';
import type { Candle, CandleInterval } from '#contract/market.ts';
import { call } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { pollEvery } from '../../api/poll.ts';
import { mergeCandles } from './candle-data.ts';

const CANDLES_MS = 5_000;

/**
 * Candles of one pair, kept up to date. After the first answer only what changed is asked for: the last known candle,
 * which was still growing, and everything after it.
 */
export const candlesQuery = (symbol: string, interval: CandleInterval) => {
  const queryKey = ['market', 'candles', symbol, interval] as const;
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<Candle[]> => {
      const known = client.getQueryData<Candle[]>(queryKey) ?? [];
      const from = known.at(-1)?.time;
      const query = from === undefined ? { interval } : { interval, from };
      const fresh = await call(endpoints.market.listCandles, { params: { symbol }, query, signal });
      return mergeCandles(known, fresh);
    },
    refetchInterval: pollEvery(CANDLES_MS),
  });
};
