import type { Trade } from '#contract/trading/trading.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { getMarketTime } from '#server/market/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { isClosing } from '../execution/venue-state.ts';
import { findCurrentTerms } from '../session/session-sql.ts';
import { findPendingTrigger } from '../stops/find-pending-trigger.ts';
import { isBeingSold, readView, showTrade } from './show-trade.ts';
import { lockTrade, type TradeRow, updateCloseRequested } from './trade-sql.ts';

/**
 * *Close now*: sells at the first tick after this market time. An earlier request, a stop already triggered by a stored
 * tick, an earlier exit of a strategy, and the sale of a trade that was carried over take precedence.
 *
 * @throws Refused trade_not_found; trade_not_open, also while its session is settling; session_closing, in the last
 * minutes at an exchange, when everything is being sold
 */
export async function closeTrade(context: Context, memberId: bigint, id: bigint, once?: Once): Promise<Trade> {
  const view = await readView(context.db);
  return runOnce(context.db, once, async (tx) => {
    const trade = orRefuse(await lockTrade(tx, memberId, id), 'trade_not_found');
    const session = await findCurrentTerms(tx);
    if (trade.state !== 'open' || session?.state !== 'open') throw new Refused('trade_not_open');
    if (await isClosing(context, tx)) throw new Refused('session_closing');
    return showTrade(await requested(context, tx, trade), { ...view, session });
  });
}

async function requested(context: Context, tx: Tx, trade: TradeRow): Promise<TradeRow> {
  if (isBeingSold(trade)) return trade;
  const marketAt = await getMarketTime(tx);
  const trigger = await findPendingTrigger(context, tx, trade, marketAt);
  if (trigger === undefined) return updateCloseRequested(tx, trade.id, marketAt);
  // Not stored here: the follower stops at the triggering tick, so the very next one sells.
  return { ...trade, close_requested_at: trigger.at, close_cause: trigger.cause };
}
