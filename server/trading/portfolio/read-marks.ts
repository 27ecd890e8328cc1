import type { TradeDetail } from '#contract/trading/trade-detail.ts';
import type { Db } from '#server/db/connect.ts';
import { listHeldTicks } from '#server/market/index.ts';
import { averageOf, heldMarks } from '../core/backtest/held-marks.ts';
import { plain } from '../core/fill-mark.ts';
import { parsePrice } from '../core/fill-price.ts';

const MINUTE_MS = 60_000;
/** A mark older than this says nothing of an instant: market time was skipped between, or its ticks are gone. */
const OLDEST_MS = 15 * MINUTE_MS;

export type Marks = {
  /** The tick of this very instant, as decimal text; undefined when it is no longer kept. */
  readonly exact: (at: Date) => string | undefined;
  /** What the market stood at at an instant; null when that is no longer kept. */
  readonly around: (at: Date) => number | null;
};

/** Marks at a few instants of the past, from the ticks that are still kept. */
export async function readMarks(db: Db, symbol: string, instants: readonly Date[]): Promise<Marks> {
  const found = new Map<number, { price: string; atMs: number }>();
  for (const at of instants) {
    const [tick] = await listHeldTicks(db, symbol, { from: at, to: at, limit: 1 });
    if (tick) found.set(at.getTime(), tick);
  }
  return {
    exact: (at) => {
      const tick = found.get(at.getTime());
      return tick?.atMs === at.getTime() ? tick.price : undefined;
    },
    around: (at) => {
      const tick = found.get(at.getTime());
      return tick === undefined || at.getTime() - tick.atMs >= OLDEST_MS ? null : Number(tick.price);
    },
  };
}

/**
 * The minute a closing mark is the average of, with its marks while they are kept. null when they are and give another
 * number: then it is the last price of a recording that ended, and no average.
 */
export async function readAveragedMinute(
  db: Db,
  symbol: string,
  closing: { readonly mark: string; readonly markedAt: Date; readonly is_late: boolean | null },
): Promise<TradeDetail['average']> {
  const toMs = closing.markedAt.getTime();
  const fromMs = toMs - MINUTE_MS;
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const ticks = await listHeldTicks(db, symbol, { from, to, limit: MINUTE_MS });
  const parts = heldMarks(ticks, fromMs, toMs);
  const isKept = parts.length > 0 && fromMs - (ticks[0]?.atMs ?? 0) < OLDEST_MS;
  if (isKept && averageOf(parts) !== parsePrice(closing.mark)) return null;
  return {
    minute: closing.is_late ? 'late_price' : 'session_close',
    from: from.toISOString(),
    to: to.toISOString(),
    parts: isKept ? parts.map(({ price, ms }) => ({ price: plain(price), ms })) : null,
  };
}
