import type { Decimal } from 'decimal.js';
import { Exact, MICROS } from '../price.ts';
import type { Filled } from './batch-outcome.ts';
import type { BatchOrder } from './batch-plan.ts';

/** One fill as the exchange reports it, with the price of a fee charged in a third coin. */
export type ReportedFill = {
  readonly tradeId: string;
  readonly quantity: string;
  readonly cost: string;
  readonly feeQuantity: string;
  readonly feeCoin: string | null;
  /** Dollars per fee coin, when it is neither dollars nor the coin traded; null without a price. */
  readonly feePrice: string | null;
  readonly filledAt: Date;
  /** Two operators found it true: it may be far from the mark. */
  readonly isConfirmed?: boolean;
};

/** The exchange's names for the asset and the dollar. */
export type Coins = { readonly coin: string; readonly dollar: string };

export type CheckedFills =
  | { readonly filled: Filled; readonly feeValues: readonly (bigint | null)[] }
  /** What cannot be true; nothing is booked then. */
  | { readonly fault: string };

/** A fill further from the mark is an error, as in the price feeds. */
const ABSURD_MOVE = '0.5';

/** Above the fee rate of any exchange: a higher fee is an error. */
const MAX_FEE_RATE = '0.05';

/**
 * Adds up the fills of an order. Reports a fault, so that nothing is booked, when a value is negative or not a number,
 * more was filled than ordered, a price is worse than the limit or absurdly better, a fee is in a coin without a price,
 * or a fill has no id or instant.
 *
 * Bought 1 coin for 100 with a fee of 0.001 coin: `coins` 0.999, `dollars` 100. With a fee of 0.1 dollars: 1 and 100.1.
 */
export function checkFills(
  order: BatchOrder,
  fills: readonly ReportedFill[],
  { coin, dollar }: Coins,
  mark: string,
): CheckedFills {
  const total = { quantity: new Exact(0), coins: new Exact(0), cost: new Exact(0), dollars: new Exact(0) };
  const feeValues: (bigint | null)[] = [];
  const sign = order.side === 'buy' ? 1 : -1;
  const seen = new Set<string>();
  for (const fill of fills) {
    const fault =
      faultOf(fill, order, { coin, dollar }, mark) ??
      (seen.has(fill.tradeId) ? `fill ${fill.tradeId} twice` : undefined);
    if (fault !== undefined) return { fault };
    seen.add(fill.tradeId);
    const inCoin = fill.feeCoin === coin ? new Exact(fill.feeQuantity) : new Exact(0);
    const third = fill.feeCoin === null || fill.feeCoin === coin || fill.feeCoin === dollar ? null : ceilMicros(fill);
    const inDollars =
      fill.feeCoin === dollar ? new Exact(fill.feeQuantity) : new Exact((third ?? 0n).toString()).div(MICROS);
    feeValues.push(third);
    total.quantity = total.quantity.plus(fill.quantity);
    total.cost = total.cost.plus(fill.cost);
    total.coins = total.coins.plus(fill.quantity).minus(inCoin.times(sign));
    total.dollars = total.dollars.plus(fill.cost).plus(inDollars.times(sign));
  }
  if (total.quantity.gt(order.quantity)) return { fault: `${total.quantity} filled of ${order.quantity} ordered` };
  const toText = (value: Decimal) => value.toFixed();
  return {
    filled: {
      quantity: toText(total.quantity),
      coins: toText(total.coins),
      cost: toText(total.cost),
      dollars: toText(total.dollars),
    },
    feeValues,
  };
}

/** Whether a fill of an order is doubted only because it is far from the mark, so that `isConfirmed` ends the doubt. */
export function isOnlyFar(
  fill: Omit<ReportedFill, 'feePrice' | 'isConfirmed'>,
  order: BatchOrder & { readonly mark: string },
  coins: Coins,
): boolean {
  const isThird = fill.feeCoin !== coins.coin && fill.feeCoin !== coins.dollar;
  const priced = { ...fill, feePrice: null, feeCoin: isThird ? null : fill.feeCoin };
  const isDoubted = (isConfirmed: boolean) =>
    faultOf({ ...priced, isConfirmed }, order, coins, order.mark) !== undefined;
  return isDoubted(false) && !isDoubted(true);
}

function faultOf(fill: ReportedFill, order: BatchOrder, { coin, dollar }: Coins, mark: string): string | undefined {
  const { tradeId, quantity, cost, feeQuantity, feeCoin, feePrice, filledAt, isConfirmed } = fill;
  if (tradeId === 'undefined' || Number.isNaN(filledAt.getTime())) return `fill ${tradeId} without an id or an instant`;
  if (!isPositive(quantity) || !isPositive(cost)) return `fill ${tradeId} of ${quantity} for ${cost}`;
  if (!isNumber(feeQuantity) || new Exact(feeQuantity).isNegative())
    return `fill ${tradeId} with a fee of ${feeQuantity}`;
  const limit = new Exact(order.limitPrice).times(quantity);
  // The exchange rounds the dollars of a fill to its own precision.
  const slack = limit.times('0.000001').plus('0.00001');
  const isWorse = order.side === 'buy' ? new Exact(cost).gt(limit.plus(slack)) : new Exact(cost).lt(limit.minus(slack));
  if (isWorse) return `fill ${tradeId} of ${quantity} for ${cost}, beyond the limit of ${order.limitPrice}`;
  if (!isConfirmed && new Exact(cost).div(quantity).div(mark).minus(1).abs().gt(ABSURD_MOVE))
    return `fill ${tradeId} of ${quantity} for ${cost}, far from the mark of ${mark}`;
  if (feeCoin === null) return undefined;
  const price = feeCoin === dollar ? '1' : feeCoin === coin ? new Exact(cost).div(quantity).toFixed() : feePrice;
  if (price === null || !isPositive(price)) return `fill ${tradeId} with a fee in ${feeCoin}, which has no price`;
  return new Exact(feeQuantity).times(price).gt(new Exact(cost).times(MAX_FEE_RATE))
    ? `fill ${tradeId} with a fee of ${feeQuantity} ${feeCoin} on ${cost} dollars`
    : undefined;
}

const NUMBER = /^-?\d+(\.\d+)?(e-?\d+)?$/i;
const isNumber = (text: string): boolean => NUMBER.test(text);
const isPositive = (text: string): boolean => isNumber(text) && new Exact(text).gt(0);

const ceilMicros = ({ feeQuantity, feePrice }: ReportedFill): bigint =>
  BigInt(
    new Exact(feeQuantity)
      .times(feePrice ?? 0)
      .times(MICROS)
      .ceil()
      .toFixed(0),
  );
