import type { Trade } from '#contract/trading/trading.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { post } from '#server/ledger/index.ts';
import { getMarketTime, listTicks } from '#server/market/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { openingFills } from '../core/fills.ts';
import { findProgress } from '../session/session-sql.ts';
import { emptyView, showTrade } from './show-trade.ts';
import { lockTrade, type TradeRow, updateCancelledByMember } from './trade-sql.ts';

/**
 * Cancels a queued trade and returns its amount to its wallet or plan. Refused once the tick that opens it is stored,
 * even if not processed yet, so that nobody can cancel after seeing the price. At an exchange it is refused once an
 * order is committed for it.
 *
 * @throws Refused trade_not_found, trade_opening, trade_not_queued
 */
export async function cancelTrade(context: Context, memberId: bigint, id: bigint, once?: Once): Promise<Trade> {
  return runOnce(context.db, once, async (tx) => {
    const trade = orRefuse(await lockTrade(tx, memberId, id), 'trade_not_found');
    if (trade.is_opening) throw new Refused('trade_opening');
    const marketAt = await getMarketTime(tx);
    if (trade.state !== 'queued' || (await hasOpeningTick(context, tx, trade, marketAt)))
      throw new Refused('trade_not_queued');
    await post(tx, [
      {
        key: `trade/${id}/cancel`,
        from: { memberId, class: 'trade_escrow' },
        to: { memberId, class: trade.wallet },
        amountMicros: trade.amount,
        reason: 'trade_cancel',
        reference: `trade ${id}`,
        marketAt,
        note: 'member',
      },
    ]);
    return showTrade(await updateCancelledByMember(tx, id, marketAt), emptyView);
  });
}

/** Whether a stored, unprocessed tick will open this queued trade; never at an exchange. */
export async function hasOpeningTick({ config }: Context, tx: Tx, trade: TradeRow, marketAt: Date): Promise<boolean> {
  if (config.venue === 'ccxt') return false;
  const progress = await findProgress(tx);
  if (progress === undefined || marketAt < progress.session.opensAt || progress.session.state === 'settling')
    return false;
  const after = trade.requested_at > progress.followedUntil ? trade.requested_at : progress.followedUntil;
  const ticks = await listTicks(tx, { after, upTo: marketAt });
  const own = ticks.filter((tick) => tick.symbol === trade.symbol);
  return openingFills(own, progress.session, new Map([[trade.symbol, 0]])).length > 0;
}
