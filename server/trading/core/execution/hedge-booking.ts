import { strict as assert } from 'node:assert';
import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({ precision: 80, toExpPos: 80, toExpNeg: -80 });
const DOLLAR = 'USDT';

/** A part of an order that the exchange filled, as it reports it: coins and dollars as decimal text. */
export type HedgeFill = {
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  /** Dollars paid or received, before the fee. */
  readonly cost: string;
  readonly feeQuantity: string;
  /** The coin the fee was taken in, as the exchange writes it; null when there was none. */
  readonly feeCoin: string | null;
  /** Dollars for one coin of the fee, when it is a third coin: neither dollars nor the coin traded. */
  readonly feePrice: string | null;
};

/** How much of an order is booked. */
export type OrderBooks = {
  readonly quantity: string;
  /** Micros its whole quantity moved at the product's prices. */
  readonly membersCash: bigint;
  /** Coins its fills changed, without sign. */
  readonly heldChange: string;
  readonly answeredCash: bigint;
};

/** The hedge of one asset since it began. */
export type HedgeBooks = {
  readonly held: string;
  readonly membersCash: bigint;
  /** Dollars the exchange moved, exact. */
  readonly venueCash: string;
  /** Micros posted to `venue_result`: rebates less fees. */
  readonly result: bigint;
};

export type BookedFill = {
  readonly order: OrderBooks;
  readonly hedge: HedgeBooks;
  /** Signed change of what is held. */
  readonly heldChange: string;
  readonly answeredCash: bigint;
  /** Micros of a fee in a third coin, rounded up; null for any other fee. */
  readonly feeValue: bigint | null;
  /** To post: positive is a rebate (`venue → venue_result`), negative a fee (`venue_result → venue`). */
  readonly result: bigint;
};

/**
 * Books one fill of a hedge order (docs/product.md, sections 2 and 3). The ledger takes it that the exchange made what
 * members' positions made at the product's prices; what it really moved is more or less than that, and the difference
 * belongs to `venue_result`. A fill answers the share of the order's `membersCash` that its coins are of the order's
 * quantity. A fee in the coin bought makes fewer coins arrive; one in dollars or a third coin costs dollars.
 *
 * 0.6 of 1 coin ordered, with −100 dollars at the product's price, are bought for 60.60, fee 0.06 dollars: they answer
 * −60.00, the exchange moved −60.66, so 0.66 go from `venue_result` to `venue`: `result === -660_000n`.
 *
 * Rounding: `result` in all is the exact dollars moved, rounded down, less what was answered. The ledger never says
 * more than the exchange has, and over any number of fills at most one micro of an asset is missing in it.
 */
export function bookFill(baseCoin: string, order: OrderBooks, hedge: HedgeBooks, fill: HedgeFill): BookedFill {
  const sign = fill.side === 'buy' ? 1 : -1;
  const feeValue = valueOfFee(baseCoin, fill);
  const coins = new Exact(fill.quantity).times(sign).minus(fill.feeCoin === baseCoin ? fill.feeQuantity : 0);
  const dollars = new Exact(fill.cost)
    .times(-sign)
    .minus(fill.feeCoin === DOLLAR ? fill.feeQuantity : 0)
    .minus(feeValue === null ? 0 : new Exact(feeValue.toString()).div(1_000_000));
  const booked = { ...order, heldChange: coins.times(sign).plus(order.heldChange).toFixed() };
  const answered = shareOfOrder(booked);
  const answeredCash = answered - order.answeredCash;
  const next = bookCash(hedge, coins, dollars, answeredCash);
  return {
    order: { ...booked, answeredCash: answered },
    hedge: next,
    heldChange: coins.toFixed(),
    answeredCash,
    feeValue,
    result: next.result - hedge.result,
  };
}

/**
 * Books positions that met each other inside the product, bought and sold before anything was ordered: nothing is
 * pending, but members gained or lost, and no exchange did. They gained 3.20: `result === -3_200_000n`.
 *
 * @param membersCash what is pending in dollars while no coin is
 */
export function bookNetting(hedge: HedgeBooks, membersCash: bigint): HedgeBooks {
  return bookCash(hedge, new Exact(0), new Exact(0), membersCash);
}

function bookCash(hedge: HedgeBooks, coins: Decimal, dollars: Decimal, answeredCash: bigint): HedgeBooks {
  const membersCash = hedge.membersCash + answeredCash;
  const venueCash = new Exact(hedge.venueCash).plus(dollars);
  return {
    held: new Exact(hedge.held).plus(coins).toFixed(),
    membersCash,
    venueCash: venueCash.toFixed(),
    result: BigInt(venueCash.times(1_000_000).floor().toFixed(0)) - membersCash,
  };
}

/** Cut to the micro; exactly all of it once the whole quantity has come. */
function shareOfOrder({ quantity, membersCash, heldChange }: OrderBooks): bigint {
  const share = new Exact(membersCash.toString()).times(heldChange).div(quantity);
  return BigInt(share.trunc().toFixed(0));
}

function valueOfFee(baseCoin: string, { feeCoin, feeQuantity, feePrice }: HedgeFill): bigint | null {
  if (feeCoin === null || feeCoin === baseCoin || feeCoin === DOLLAR) return null;
  assert(feePrice !== null, `no price for a fee in ${feeCoin}`);
  return BigInt(new Exact(feeQuantity).times(feePrice).times(1_000_000).ceil().toFixed(0));
}

/** `sumQuantities('1', ['0.2', '0.3']) === '1.5'` */
export const sumQuantities = (first: string, others: readonly string[]): string =>
  others.reduce((sum, other) => sum.plus(other), new Exact(first)).toFixed();

/** The same quantity, however it is written. `isSameQuantity('0.10', '0.1')` */
export const isSameQuantity = (filled: string, whole: string): boolean => new Exact(filled).eq(whole);
