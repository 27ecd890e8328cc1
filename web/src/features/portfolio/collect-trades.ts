import type { Trade } from '#contract/trading/trade.ts';
import { call } from '../../api/call.ts';
import { collectPages } from '../../api/collect-pages.ts';
import { endpoints } from '../../api/endpoints.ts';

/** All trades of the member. */
export const collectTrades = (signal: AbortSignal, onCount: (count: number) => void): Promise<Trade[]> =>
  collectPages<Trade>((query) => call(endpoints.trading.listTrades, { query, signal }), onCount);
