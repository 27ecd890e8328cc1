import type { Decimal } from 'decimal.js';
import { Exact, MICROS, toPriceText } from '../price.ts';
import type { BatchOutcome, Filled } from './batch-outcome.ts';
import { isBearable, type Quote, sellerPrice } from './batch-plan.ts';

/** Coins sold elsewhere, as recorded by operators. */
export type SoldElsewhere = {
  /** Coins, decimal text. */
  readonly quantity: string;
  /** Micros received before the fee, and the fee. */
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

/** Dollars per coin, net of the fee: 0.5 coins for 100 dollars with a fee of 1 dollar yield 198. */
export const netPrice = (sold: SoldElsewhere): string => toPriceText(exactNet(sold));

const exactNet = ({ quantity, costMicros, feeMicros }: SoldElsewhere): Decimal =>
  new Exact((costMicros - feeMicros).toString()).div(MICROS).div(quantity);

export const isFarFromMark = (sold: SoldElsewhere, mark: string | null): boolean =>
  mark !== null && new Exact(netPrice(sold)).div(mark).minus(1).abs().gt(FAR_FROM_MARK);

/** Whether the sale exceeds unsold positions plus the exchange's surplus. */
export const isMoreThanLeft = ({ quantity }: SoldElsewhere, { unsold, held, residual }: Remaining): boolean =>
  new Exact(quantity).gt(held) || new Exact(quantity).gt(new Exact(unsold).plus(Exact.max(residual, 0)));

/** The sale as the outcome of a batch. It closes all remaining positions when the house can bear the rest. */
export function bookElsewhere(
  sold: SoldElsewhere,
  { unsold }: Remaining,
  { mark, spreadBps }: { readonly mark: Quote['mark']; readonly spreadBps: number },
): { readonly filled: Filled; readonly outcome: BatchOutcome } {
  const { quantity, costMicros, feeMicros } = sold;
  const dollarsOf = (micros: bigint) => new Exact(micros.toString()).div(MICROS);
  const isAll = isBearable(Exact.max(new Exact(unsold).minus(quantity), 0), mark);
  return {
    filled: {
      quantity,
      coins: quantity,
      cost: dollarsOf(costMicros).toFixed(),
      dollars: dollarsOf(costMicros - feeMicros).toFixed(),
    },
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
