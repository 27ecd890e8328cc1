import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { getGrain, listTicks } from '#server/market/index.ts';
import { parsePrice } from '../core/price.ts';
import { type CoarseGrain, candleMarks, earliestNeeded, findCandleTrigger } from '../core/stops/candle-marks.ts';
import { stopLevels } from '../core/stops/stops.ts';
import type { TradeRow } from '../orders/trade-sql.ts';
import { findProgress, type Progress } from '../session/session-sql.ts';
import { findFirstTrigger, findWatched, type Trigger } from './stop-sql.ts';

/** The stop of an open, locked trade triggered by a stored but unprocessed tick. It precedes the member's request. */
export async function findPendingTrigger(
  context: Pick<Context, 'config'>,
  tx: Tx,
  trade: TradeRow,
  marketAt: Date,
): Promise<Trigger | undefined> {
  if (trade.stop_loss_permille === null && trade.take_profit_permille === null && trade.trailing_stop_permille === null)
    return undefined;
  const progress = await findProgress(tx);
  if (progress === undefined || marketAt <= progress.followedUntil) return undefined;
  const grain = await findCoarseGrain(context, tx);
  if (grain !== undefined) return findInCandles(tx, trade, progress, grain, marketAt);
  const ticks = await listTicks(tx, { after: progress.followedUntil, upTo: marketAt });
  const assetTicks = ticks.filter(({ symbol, at }) => symbol === trade.symbol && at < progress.session.closesAt);
  return findFirstTrigger(tx, trade.id, assetTicks);
}

async function findInCandles(
  tx: Tx,
  trade: TradeRow,
  { session, followedUntil }: Progress,
  grain: CoarseGrain,
  marketAt: Date,
): Promise<Trigger | undefined> {
  const watched = await findWatched(tx, trade.id);
  if (watched === undefined || trade.open_price === null) return undefined;
  const after = earliestNeeded(grain, session.opensAt, followedUntil);
  const ticks = await listTicks(tx, { after, upTo: marketAt });
  const assetTicks = ticks.filter(({ symbol, at }) => symbol === trade.symbol && at < session.closesAt);
  const unprocessed = candleMarks(assetTicks, grain).filter(({ at }) => at > watched.followedUntil);
  return findCandleTrigger(
    {
      ...watched,
      levels: stopLevels(trade.open_price, {
        stopLoss: trade.stop_loss_permille,
        takeProfit: trade.take_profit_permille,
        trailingStop: trade.trailing_stop_permille,
      }),
      highest: watched.highest === null ? null : parsePrice(watched.highest),
    },
    unprocessed,
  );
}

/** The grain of a feed coarser than a minute, on paper only: real venues check stops tick by tick. */
export async function findCoarseGrain(
  { config }: Pick<Context, 'config'>,
  db: Db | Tx,
): Promise<CoarseGrain | undefined> {
  if (config.venue !== 'paper') return undefined;
  const grain = await getGrain(db);
  return grain.kind === 'minutes' ? undefined : grain;
}
