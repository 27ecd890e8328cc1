import type { CandleTick } from './candle.ts';

/** The last price that was taken, and the absurd one that waits for the next to confirm it. */
export type GuardedMark = {
  readonly price: number | null;
  readonly atMs: number | null;
  readonly outlier: number | null;
};

export const noMark: GuardedMark = { price: null, atMs: null, outlier: null };

export type TickRefusal = 'not_a_price' | 'out_of_order' | 'absurd';

export type Judgement = { readonly mark: GuardedMark; readonly refusal: TickRefusal | null };

/** docs/product.md, section 3: a price over half away from the last is absurd. */
const ABSURD_MOVE = 0.5;

/**
 * Takes a price as the new mark or refuses it (docs/product.md, section 3, "Ticks"). Refused: zero, negative, NaN and
 * infinite prices (`not_a_price`); prices not later than the last (`out_of_order`); prices over 50 % from the last
 * (`absurd`), unless the price before was absurd too and this one is within 50 % of it, which confirms it.
 *
 * Worked: last 100. 151 is refused and outlier. Then 148 is taken, as it is within half of 100, and the doubt is gone;
 * or else 160 is taken, because it confirms 151; the 151 itself stays refused.
 */
export function judgeTick(mark: GuardedMark, tick: CandleTick): Judgement {
  if (!Number.isFinite(tick.price) || tick.price <= 0) return { mark, refusal: 'not_a_price' };
  if (mark.atMs !== null && tick.atMs <= mark.atMs) return { mark, refusal: 'out_of_order' };
  const isPlausible = mark.price === null || !isAbsurd(mark.price, tick.price);
  const isConfirmed = mark.outlier !== null && !isAbsurd(mark.outlier, tick.price);
  if (isPlausible || isConfirmed) return { mark: { price: tick.price, atMs: tick.atMs, outlier: null }, refusal: null };
  return { mark: { ...mark, outlier: tick.price }, refusal: 'absurd' };
}

const isAbsurd = (last: number, price: number): boolean => Math.abs(price - last) > ABSURD_MOVE * last;
