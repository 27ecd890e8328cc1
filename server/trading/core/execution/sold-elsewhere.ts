import { Decimal } from 'decimal.js';
import { Exact, MICROS, toPriceText } from '../price.ts';
import type { BatchOutcome, Filled } from './batch-outcome.ts';
import { isBearable, type Quote, sellerPrice } from './batch-plan.ts';

/** Coins sold elsewhere, or what an order filled, as recorded by operators. */
export type SoldElsewhere = {
  readonly side: 'buy' | 'sell';
  /** Coins, decimal text. An order may have filled nothing. */
  readonly quantity: string;
  /** Micros before the fee, and the fee. */
  readonly costMicros: bigint;
  readonly feeMicros: bigint;
};

/** What is left to sell of an asset: coins, decimal text. */
export type Remaining = {
  readonly unsold: string;
  readonly held: string;
  /** Coins that the exchange holds beyond members' coins; they may be sold along. */
  readonly residual: string;
};

/** A price further from the mark than this needs confirmation. */
const FAR_FROM_MARK = '0.2';

/** Dollars per coin, net of the fee: 0.5 coins sold for 100 dollars with a fee of 1 dollar yield 198; 0 without coins. */
export const netPrice = (sold: SoldElsewhere): string => (isNothing(sold) ? '0' : toPriceText(exactNet(sold)));

export const isNothing = ({ quantity }: SoldElsewhere): boolean => Number(quantity) === 0;

const dollarsOf = (micros: bigint): Decimal => new Exact(micros.toString()).div(MICROS);

const exactNet = (sold: SoldElsewhere): Decimal => new Exact(filledOf(sold).dollars).div(sold.quantity);

export const isFarFromMark = (sold: SoldElsewhere, mark: string | null): boolean =>
  mark !== null && !isNothing(sold) && new Exact(netPrice(sold)).div(mark).minus(1).abs().gt(FAR_FROM_MARK);

export const filledOf = ({ side, quantity, costMicros, feeMicros }: SoldElsewhere): Filled => ({
  quantity,
  coins: quantity,
  cost: dollarsOf(costMicros).toFixed(),
  dollars: dollarsOf(side === 'buy' ? costMicros + feeMicros : costMicros - feeMicros).toFixed(),
});

/**
 * Coins that the exchange kept as its fee of an order to buy: those missing, if its fee rate explains them. Received 1.998
 * of 2 ordered at a fee of 0.1 %: 0.002.
 */
export function feeInCoins({ side, quantity, feeMicros }: SoldElsewhere, ordered: string, takerFee: string): string {
  const missing = new Exact(ordered).minus(quantity);
  const most = new Exact(ordered).times(takerFee).toDecimalPlaces(8, Decimal.ROUND_UP);
  return side === 'buy' && feeMicros === 0n && missing.lte(most) ? missing.toFixed() : '0';
}

/** Whether the sale exceeds unsold positions plus the exchange's surplus. */
export const isMoreThanLeft = ({ quantity }: SoldElsewhere, { unsold, held, residual }: Remaining): boolean =>
  new Exact(quantity).gt(held) || new Exact(quantity).gt(new Exact(unsold).plus(Exact.max(residual, 0)));

/** The sale as the outcome of a batch. It closes all remaining positions when the house can bear the rest. */
export function bookElsewhere(
  sold: SoldElsewhere,
  { unsold }: Remaining,
  { mark, spreadBps }: { readonly mark: Quote['mark']; readonly spreadBps: number },
): { readonly filled: Filled; readonly outcome: BatchOutcome } {
  const { quantity, costMicros } = sold;
  const isAll = isBearable(Exact.max(new Exact(unsold).minus(quantity), 0), mark);
  return {
    filled: filledOf(sold),
    outcome: {
      buy: null,
      sell: {
        fill: toPriceText(dollarsOf(costMicros).div(quantity)),
        net: netPrice(sold),
        price: toPriceText(sellerPrice(exactNet(sold), spreadBps)),
      },
      openMicros: null,
      sellCoins: isAll ? null : quantity,
    },
  };
}
