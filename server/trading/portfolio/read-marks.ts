import type { TradeDetail } from '#contract/trading/trade-detail.ts';
import type { Db } from '#server/db/connect.ts';
import { listHeldTicks } from '#server/market/index.ts';
import { plain } from '../core/fill-mark.ts';
import { parsePrice } from '../core/price.ts';

const MINUTE_MS = 60_000;
/** An older mark does not represent the instant: market time was skipped, or ticks are gone. */
const MAX_MARK_AGE_MS = 15 * MINUTE_MS;

export type Marks = {
  /** The tick at exactly this instant, as decimal text; undefined when no longer retained. */
  readonly exact: (at: Date) => string | undefined;
  /** The mark in force at an instant; null when no longer retained. */
  readonly around: (at: Date) => number | null;
};

/** Marks at a few past instants, from retained ticks. */
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
      return tick === undefined || at.getTime() - tick.atMs >= MAX_MARK_AGE_MS ? null : Number(tick.price);
    },
  };
}

/**
 * The minute behind a closing mark, with its marks while retained. Null when they average to a different number: the
 * mark is then the last price of a recording that ended.
 */
export async function readClosingTwap(
  db: Db,
  symbol: string,
  closing: { readonly mark: string; readonly markedAt: Date; readonly is_late: boolean | null },
): Promise<TradeDetail['average']> {
  const toMs = closing.markedAt.getTime();
  const fromMs = toMs - MINUTE_MS;
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const ticks = await listHeldTicks(db, symbol, { from, to, limit: MINUTE_MS });
  const parts = heldMarks(ticks, fromMs, toMs);
  const isRetained = parts.length > 0 && fromMs - (ticks[0]?.atMs ?? 0) < MAX_MARK_AGE_MS;
  if (isRetained && averageOf(parts) !== parsePrice(closing.mark)) return null;
  return {
    minute: closing.is_late ? 'late_price' : 'session_close',
    from: from.toISOString(),
    to: to.toISOString(),
    parts: isRetained ? parts.map(({ price, ms }) => ({ price: plain(price), ms })) : null,
  };
}

/** A mark and the instant it arrived. */
export type Mark = { readonly price: string; readonly atMs: number };

/** A mark and how long it was in force. */
export type HeldMark = { readonly price: string; readonly ms: number };

/**
 * Which marks were in force in [fromMs, toMs) and for how long: the terms of a time-weighted average. `marks` are in
 * time order and begin with the one in force at `fromMs`; empty when that one is unknown, because a partial minute does
 * not count.
 *
 * From 17:29:00 to 17:30:00, with marks 100 at 17:28:45, 102 at 17:29:15 and 101 at 17:29:45: 100 for 15 s, 102 for 30
 * s, 101 for 15 s.
 */
export function heldMarks(marks: readonly Mark[], fromMs: number, toMs: number): HeldMark[] {
  const first = marks[0];
  if (first === undefined || first.atMs > fromMs) return [];
  return marks
    .map(({ price, atMs }, index) => ({
      price,
      ms: Math.min(marks[index + 1]?.atMs ?? toMs, toMs) - Math.max(atMs, fromMs),
    }))
    .filter(({ ms }) => ms > 0);
}

/** Their time-weighted average in units of 10⁻¹² dollar, half up: 101.25 for the marks above. */
export function averageOf(parts: readonly HeldMark[]): bigint {
  const ms = parts.reduce((sum, part) => sum + BigInt(part.ms), 0n);
  const weighted = parts.reduce((sum, part) => sum + parsePrice(part.price) * BigInt(part.ms), 0n);
  return (weighted + ms / 2n) / ms;
}
