import type { StopChange } from '#contract/trading/stops.ts';
import type { Trade } from '#contract/trading/trading.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { findAsset, getMarketTime } from '#server/market/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { changeStops } from '../core/stops/stops.ts';
import { isClosing } from '../execution/venue-state.ts';
import { hasOpeningTick } from '../orders/cancel-trade.ts';
import { isBeingSold, readView, showTrade } from '../orders/show-trade.ts';
import { lockTrade, type TradeRow, updateStops } from '../orders/trade-sql.ts';
import { findCurrentTerms } from '../session/session-sql.ts';
import { findPendingTrigger } from './find-pending-trigger.ts';

/**
 * Changes stops of a trade, each independently (`changeStops`). Ticks after this market time can trigger them. A newly
 * set trailing stop counts from the current mark; an unchanged one keeps its start.
 *
 * @throws Refused trade_not_found; trade_not_open, also when it is being sold, a stored tick has triggered a stop
 * or will open it, or its session is settling; session_closing, in the last minutes at an exchange, when everything is
 * being sold
 */
export async function setTradeStops(
  context: Context,
  memberId: bigint,
  id: bigint,
  change: StopChange,
): Promise<Trade> {
  const view = await readView(context.db);
  return inTransaction(context.db, async (tx) => {
    const trade = orRefuse(await lockTrade(tx, memberId, id), 'trade_not_found');
    const since = await getMarketTime(tx);
    if (!(await canHaveStops(context, tx, trade, since))) throw new Refused('trade_not_open');
    if (trade.state === 'open' && (await isClosing(context, tx))) throw new Refused('session_closing');
    const markAt = (await findAsset(tx, trade.symbol))?.mark?.at ?? since;
    const trailingSince = change.trailing_stop === undefined ? trade.trailing_since : latest(markAt, trade.opened_at);
    const row = await updateStops(tx, id, changeStops(trade, change), { since, trailingSince });
    return showTrade(row, view);
  });
}

async function canHaveStops(context: Context, tx: Tx, trade: TradeRow, marketAt: Date): Promise<boolean> {
  // Later ticks than the opening one may already be stored and would be compared with stops set now.
  if (trade.state === 'queued') return !(await hasOpeningTick(context, tx, trade, marketAt));
  if (trade.state !== 'open' || isBeingSold(trade)) return false;
  if ((await findCurrentTerms(tx))?.state !== 'open') return false;
  return (await findPendingTrigger(context, tx, trade, marketAt)) === undefined;
}

/** A trailing stop ignores marks from before its trade. */
const latest = (one: Date, other: Date | null): Date => (other !== null && other > one ? other : one);
