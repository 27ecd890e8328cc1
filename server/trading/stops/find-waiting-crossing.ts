import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { listTicks } from '#server/market/index.ts';
import { parsePrice } from '../core/fill-price.ts';
import { findCandleCrossing } from '../core/stops/candle-crossing.ts';
import { type CoarseGrain, candleMarks, earliestNeeded } from '../core/stops/candle-marks.ts';
import { stopLevels } from '../core/stops/find-crossed.ts';
import type { TradeRow } from '../orders/trade-sql.ts';
import { findProgress, type Progress } from '../session/session-sql.ts';
import { findCoarseGrain } from './find-coarse-grain.ts';
import { type Crossing, findFirstCrossing, findWatched } from './stop-sql.ts';

/**
 * Whether a stop of an open trade, which the caller has locked, was crossed by a stored tick that only waits to be followed:
 * then it comes before whatever the member asks for now, and the follower sells for it.
 */
export async function findWaitingCrossing(
  context: Pick<Context, 'config'>,
  tx: Tx,
  trade: TradeRow,
  marketAt: Date,
): Promise<Crossing | undefined> {
  if (trade.stop_loss_permille === null && trade.take_profit_permille === null && trade.trailing_stop_permille === null)
    return undefined;
  const progress = await findProgress(tx);
  if (progress === undefined || marketAt <= progress.followedUntil) return undefined;
  const grain = await findCoarseGrain(context, tx);
  if (grain !== undefined) return findInCandles(tx, trade, progress, grain, marketAt);
  const ticks = await listTicks(tx, { after: progress.followedUntil, upTo: marketAt });
  const own = ticks.filter(({ symbol, at }) => symbol === trade.symbol && at < progress.session.closesAt);
  return findFirstCrossing(tx, trade.id, own);
}

async function findInCandles(
  tx: Tx,
  trade: TradeRow,
  { session, followedUntil }: Progress,
  grain: CoarseGrain,
  marketAt: Date,
): Promise<Crossing | undefined> {
  const watched = await findWatched(tx, trade.id);
  if (watched === undefined || trade.open_price === null) return undefined;
  const after = earliestNeeded(grain, session.opensAt, followedUntil);
  const ticks = await listTicks(tx, { after, upTo: marketAt });
  const own = ticks.filter(({ symbol, at }) => symbol === trade.symbol && at < session.closesAt);
  const coming = candleMarks(own, grain).filter(({ at }) => at > watched.followedUntil);
  return findCandleCrossing(
    {
      ...watched,
      levels: stopLevels(trade.open_price, {
        stopLoss: trade.stop_loss_permille,
        takeProfit: trade.take_profit_permille,
        trailingStop: trade.trailing_stop_permille,
      }),
      highest: watched.highest === null ? null : parsePrice(watched.highest),
    },
    coming,
  );
}
