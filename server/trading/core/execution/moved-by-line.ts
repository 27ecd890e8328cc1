import { Exact, floorMicros } from '../price.ts';

/** A fill of an order that nobody here sent, as the exchange's statement has it; decimal text. */
export type LoneFill = {
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly cost: string;
  readonly fee: string;
  readonly feeCoin: string | null;
};

/**
 * What such a fill moved, signed. A fee in a third coin is in neither, as the coin itself is in no book of ours.
 *
 * Bought 2 coins for 100 with a fee of 0.1 dollars: 2 coins and −100.1 dollars; with a fee of 0.002 coins: 1.998 and −100.
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

/** Micros of a signed amount of dollars, rounded against the house: `1.2345678` is 1 234 567, `-1.2345678` −1 234 568. */
export const microsOfAmount = (amount: string): bigint => floorMicros(new Exact(amount));
