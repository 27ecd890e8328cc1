import assert from 'node:assert/strict';
import { Decimal } from 'decimal.js';
import { ceilToStep, freshUntilMs } from './candle.ts';

/** A price that was taken, as decimal text. */
export type StoredTick = { readonly price: string; readonly atMs: number };

const MINUTE_SECONDS = 60;
const MINUTE_MS = MINUTE_SECONDS * 1000;
/** More digits than any price has; only money is rounded (docs/product.md, section 2). */
const Exact = Decimal.clone({ precision: 40 });
const AVERAGE_DIGITS = 24;

/**
 * The time-weighted average over [fromMs, toMs): each mark weighted by how long it held, the one in force at `fromMs`
 * included. null when there was none, or when a mark stopped holding inside the stretch: no price, no settlement
 * (docs/product.md, section 3, "Session close").
 * `ticks` are in time order and begin with the mark in force at `fromMs`.
 *
 * Worked, over the minute of 17:29:00: the mark 100 of 17:28:45 is followed by 102 at 17:29:15, 104 at 17:29:30 and 101
 * at 17:29:45. Each holds 15 s: (100 + 102 + 104 + 101) ÷ 4 = 101.75.
 */
export function averagePrice(
  ticks: readonly StoredTick[],
  stretch: { readonly fromMs: number; readonly toMs: number; readonly stepSeconds: number },
): string | null {
  const { fromMs, toMs, stepSeconds } = stretch;
  assert(fromMs < toMs, 'an average needs a stretch of time');
  const first = ticks[0];
  if (first === undefined || first.atMs > fromMs) return null;
  let weighted = new Exact(0);
  for (const [index, tick] of ticks.entries()) {
    const heldUntilMs = Math.min(ticks[index + 1]?.atMs ?? toMs, toMs);
    const heldFromMs = Math.max(tick.atMs, fromMs);
    if (heldUntilMs <= heldFromMs) continue;
    if (heldUntilMs > freshUntilMs(tick.atMs, stepSeconds)) return null;
    weighted = weighted.plus(new Exact(tick.price).times(heldUntilMs - heldFromMs));
  }
  return weighted
    .dividedBy(toMs - fromMs)
    .toSignificantDigits(AVERAGE_DIGITS)
    .toFixed();
}

/**
 * For an asset whose price came late: the average of the first whole market minute that begins at or after the first
 * tick after `afterMs`, once that minute has passed and no mark stopped holding in it; null until then. `ticks` are
 * those after `afterMs`, in time order.
 *
 * Worked: nothing came from 17:28:45 on; after 17:30:00 the first tick is 99 at 17:41:15, then 98 at 17:42:30. The
 * minute is 17:42:00 to 17:43:00: 99 for 30 s and 98 for 30 s, 98.5.
 */
export function firstFreshMinute(
  ticks: readonly StoredTick[],
  stretch: { readonly afterMs: number; readonly nowMs: number; readonly stepSeconds: number },
): { price: string; fromMs: number } | null {
  for (const tick of ticks) {
    if (tick.atMs <= stretch.afterMs) continue;
    const fromMs = ceilToStep(tick.atMs, MINUTE_SECONDS);
    const toMs = fromMs + MINUTE_MS;
    if (toMs > stretch.nowMs) return null;
    const inForce = ticks.findLastIndex((other) => other.atMs <= fromMs);
    const price = averagePrice(ticks.slice(inForce), { ...stretch, fromMs, toMs });
    if (price !== null) return { price, fromMs };
  }
  return null;
}
