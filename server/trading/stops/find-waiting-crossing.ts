import type { Tx } from '#server/db/connect.ts';
import { listTicks } from '#server/market/index.ts';
import type { TradeRow } from '../orders/trade-sql.ts';
import { findProgress } from '../session/session-sql.ts';
import { type Crossing, findFirstCrossing } from './stop-sql.ts';

/**
 * Whether a stop of an open trade, which the caller has locked, was crossed by a stored tick that only waits to be followed:
 * then it comes before whatever the member asks for now, and the follower sells for it.
 */
export async function findWaitingCrossing(tx: Tx, trade: TradeRow, marketAt: Date): Promise<Crossing | undefined> {
  if (trade.stop_loss_permille === null && trade.take_profit_permille === null && trade.trailing_stop_permille === null)
    return undefined;
  const progress = await findProgress(tx);
  if (progress === undefined || marketAt <= progress.followedUntil) return undefined;
  const ticks = await listTicks(tx, { after: progress.followedUntil, upTo: marketAt });
  const own = ticks.filter(({ symbol, at }) => symbol === trade.symbol && at < progress.session.closesAt);
  return findFirstCrossing(tx, trade.id, own);
}
