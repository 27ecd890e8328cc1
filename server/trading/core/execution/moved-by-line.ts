import { Exact, floorMicros } from '../price.ts';

/** A fill in the exchange's statement whose order we did not send; decimal text. */
export type LoneFill = {
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly cost: string;
  readonly fee: string;
  readonly feeCoin: string | null;
};

/**
 * The signed coins and dollars of such a fill. A fee in a third coin is in neither, because that coin is not in our
 * ledger.
 *
 * Bought 2 coins for 100 with a fee of 0.1 dollars: 2 coins and −100.1 dollars; with a fee of 0.002 coins: 1.998 and
 * −100.
 */
export function movedByFill(
  { side, quantity, cost, fee, feeCoin }: LoneFill,
  { coin, dollar }: { readonly coin: string; readonly dollar: string },
): { readonly coins: string; readonly dollars: string } {
  const sign = side === 'buy' ? 1 : -1;
  const feeIn = (name: string) => (feeCoin === name ? fee : '0');
  return {
    coins: new Exact(quantity).times(sign).minus(feeIn(coin)).toFixed(),
    dollars: new Exact(cost).times(-sign).minus(feeIn(dollar)).toFixed(),
  };
}

/** Micros of a signed dollar amount, rounded against the house: `1.2345678` is 1 234 567, `-1.2345678` −1 234 568. */
export const microsOfAmount = (amount: string): bigint => floorMicros(new Exact(amount));
