import { useQuery } from '@tanstack/react-query';
import type { MarketEntry } from '#contract/market.ts';
import { marketQuery } from '../../api/market/queries.ts';
import { pairOf } from './labels.ts';

/** The market list's entry of `btc`; undefined before the list has loaded, or without a symbol. */
export function usePair(symbol: string | null): MarketEntry | undefined {
  const { data } = useQuery(marketQuery);
  return data?.pairs.find(({ displayName }) => symbol !== null && displayName === pairOf(symbol));
}
