import type { Trade } from '#contract/trade.ts';
import { call } from '../../shared/call.ts';
import { endpoints } from '../../shared/endpoints.ts';

const PAGE_SIZE = '100';
/** A thousand pages a minute: less than the server allows, so that the rest of the app goes on meanwhile. */
const PACE_MS = 60;

/**
 * All trades of the member, page after page: 100 000 of them take about a minute. A trade placed meanwhile is not among them.
 *
 * @param onCount told how many there are so far
 * @throws CallError when a page fails; the trades until then are of no use alone
 */
export async function collectTrades(signal: AbortSignal, onCount: (count: number) => void): Promise<Trade[]> {
  const trades: Trade[] = [];
  let cursor: string | null = null;
  do {
    const pace = new Promise((resolve) => setTimeout(resolve, PACE_MS));
    const query: { limit: string; cursor?: string } =
      cursor === null ? { limit: PAGE_SIZE } : { limit: PAGE_SIZE, cursor };
    const page: { items: Trade[]; next_cursor: string | null } = await call(endpoints.trading.listTrades, {
      query,
      signal,
    });
    trades.push(...page.items);
    onCount(trades.length);
    cursor = page.next_cursor;
    if (cursor !== null) await pace;
  } while (cursor !== null);
  return trades;
}
