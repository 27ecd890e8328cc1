import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({ precision: 80, toExpPos: 80, toExpNeg: -80 });

/** What members' positions need beyond what the exchange holds for them. Negative: the exchange holds too much. */
export type Pending = {
  /** Coins, signed decimal text. */
  readonly quantity: string;
  /** Micros that moved at the product's prices for this quantity: negative for positions that were bought. */
  readonly membersCash: bigint;
};

/** What the exchange takes in one market order of an asset; coins and dollars as decimal text, null for no limit. */
export type OrderLimits = {
  readonly stepSize: string;
  readonly minQuantity: string;
  readonly maxQuantity: string | null;
  readonly minNotional: string;
  readonly maxNotional: string | null;
};

export type HedgePlan = {
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  /** The share of `membersCash` this quantity answers. */
  readonly membersCash: bigint;
};

/**
 * The market order that hedges what is pending, as far as the exchange takes it (docs/product.md, section 3, "Execution
 * venue"): rounded down to its step, cut to its largest order. What is left, or all of it while it is too little for an
 * order, is the residual: it stays pending until more comes.
 *
 * 1.23456 coins pending with −123.456 dollars, step 0.001: buy 1.234, which answers −123.400000; 0.00056 stay.
 *
 * @param mark dollars for a coin: an order's value is judged by it; null while there is none, and nothing is ordered
 * @returns undefined when nothing can be ordered
 */
export function planHedge(pending: Pending, mark: string | null, limits: OrderLimits): HedgePlan | undefined {
  if (mark === null) return undefined;
  const wanted = new Exact(pending.quantity);
  const quantity = wholeSteps(Exact.min(wanted.abs(), largestOrder(mark, limits)), limits.stepSize);
  const isEnough = quantity.gt(0) && quantity.gte(limits.minQuantity) && quantity.times(mark).gte(limits.minNotional);
  if (!isEnough) return undefined;
  const answered = new Exact(pending.membersCash.toString()).times(quantity).div(wanted.abs());
  return {
    side: wanted.isPositive() ? 'buy' : 'sell',
    quantity: quantity.toFixed(),
    membersCash: quantity.eq(wanted.abs()) ? pending.membersCash : BigInt(answered.trunc().toFixed(0)),
  };
}

/** Whether an order that never reached the exchange is still wanted: the same side, and not more than is pending now. */
export function isStillWanted(order: Pick<HedgePlan, 'side' | 'quantity'>, pending: string): boolean {
  const signed = order.side === 'buy' ? new Exact(pending) : new Exact(pending).neg();
  return signed.gte(order.quantity);
}

/** Dollars of a residual at the mark, rounded down to the micro; null without a mark. `0.00056` at `100`: 56 000. */
export function valueAtMark(quantity: string, mark: string | null): bigint | null {
  return mark === null ? null : BigInt(new Exact(quantity).abs().times(mark).times(1_000_000).floor().toFixed(0));
}

function largestOrder(mark: string, { maxQuantity, maxNotional }: OrderLimits): Decimal {
  const byQuantity = new Exact(maxQuantity ?? Number.POSITIVE_INFINITY);
  return maxNotional === null ? byQuantity : Exact.min(byQuantity, new Exact(maxNotional).div(mark));
}

const wholeSteps = (quantity: Decimal, stepSize: string): Decimal => quantity.div(stepSize).floor().times(stepSize);
