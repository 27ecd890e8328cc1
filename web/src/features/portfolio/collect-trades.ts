import type { Trade } from '#contract/trade.ts';
import { call } from '../../shared/call.ts';
import { collectPages } from '../../shared/collect-pages.ts';
import { endpoints } from '../../shared/endpoints.ts';

/** All trades of the member. */
export const collectTrades = (signal: AbortSignal, onCount: (count: number) => void): Promise<Trade[]> =>
  collectPages<Trade>((query) => call(endpoints.trading.listTrades, { query, signal }), onCount);
