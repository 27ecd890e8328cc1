import type { CandleTick } from './candle.ts';

/** The last accepted price, and an outlier awaiting confirmation by the next one. */
export type GuardedMark = {
  readonly price: number | null;
  readonly atMs: number | null;
  readonly outlier: number | null;
};

export const noMark: GuardedMark = { price: null, atMs: null, outlier: null };

export type TickRefusal = 'not_a_price' | 'out_of_order' | 'absurd';

export type Judgement = { readonly mark: GuardedMark; readonly refusal: TickRefusal | null };

/** docs/product.md, section 3: a price more than half away from the last is absurd. */
const ABSURD_MOVE = 0.5;

/**
 * Accepts a price as the new mark or refuses it (docs/product.md, section 3, "Ticks"). Refused: zero, negative, NaN and
 * infinite prices (`not_a_price`); prices not later than the last (`out_of_order`); prices over 50 % from the last
 * (`absurd`), unless the previous price was absurd too and this one is within 50 % of it, which confirms it.
 *
 * Worked: last 100. 151 is refused and becomes the outlier. Then 148 is accepted, being within half of 100, and the
 * outlier is discarded; or 160 is accepted, because it confirms 151; the 151 itself stays refused.
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
