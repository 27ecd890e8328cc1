import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({ precision: 80, toExpPos: 80, toExpNeg: -80, rounding: Decimal.ROUND_FLOOR });
/** One coin, or the dollars: the reported against the booked balance. Decimal text. */
export type VenueLine = {
  readonly coin: string;
  readonly reported: string;
  readonly booked: string;
  /** Reported less booked: negative when something is missing. */
  readonly difference: string;
};

/**
 * Compares the exchange's balances with the ledger, coin by coin: dollars first, then our assets, then any other coins.
 *
 * Booked 0.5 BTC and 900 dollars, reported 0.5 BTC, 899.75 dollars and 2 BNB: differences `USDT −0.25`, `BTC 0`, `BNB
 * 2`.
 *
 * @param dollarsBooked exact dollars; the exchange keeps more decimals than the ledger, which always rounds down
 */
export function compareBalances(
  reported: ReadonlyMap<string, string>,
  dollar: string,
  dollarsBooked: string,
  held: ReadonlyMap<string, string>,
): VenueLine[] {
  const booked = new Map([[dollar, dollarsBooked], ...held]);
  const coins = [...booked.keys(), ...[...reported.keys()].filter((coin) => !booked.has(coin)).toSorted()];
  return coins.map((coin) => {
    const [actual, expected] = [new Exact(reported.get(coin) ?? 0), new Exact(booked.get(coin) ?? 0)];
    return {
      coin,
      reported: actual.toFixed(),
      booked: expected.toFixed(),
      difference: actual.minus(expected).toFixed(),
    };
  });
}

/**
 * Whether a difference matters: dollars beyond one micro per rounded sum (an asset's, or one that was booked by itself)
 * and what the exchange rounded, the most that rounding explains, or any coins.
 */
export function isDifferent({ coin, difference }: VenueLine, dollar: string, sums: number, rounded = '0'): boolean {
  const size = new Exact(difference).abs();
  return coin === dollar ? size.gt(new Exact(sums).div(1_000_000).plus(rounded)) : size.gt(0);
}

/**
 * The exchange's reported holding in micros, in the ledger's terms: the booked amount plus every difference at its
 * price. Positions stay at cost, as in members' liabilities, so open results are on neither side. Unbooked coins count
 * if they are our assets, because an order not booked yet paid dollars for them; others are ignored. Undefined when a
 * booked coin that differs has no price.
 *
 * Booked 1 000 $; the exchange reports 5 $ less and 0.01 BTC less, at 50 000: 1 000 − 5 − 500 = 495.
 *
 * @param prices dollars per coin of our assets, by the exchange's name
 */
export function reportedHolding(
  bookedMicros: bigint,
  lines: readonly VenueLine[],
  { dollar, prices }: { readonly dollar: string; readonly prices: ReadonlyMap<string, string | null> },
): bigint | undefined {
  let micros = new Exact(bookedMicros.toString());
  for (const { coin, booked, difference } of lines) {
    if (new Exact(difference).isZero()) continue;
    const price = coin === dollar ? '1' : (prices.get(coin) ?? null);
    if (price === null && new Exact(booked).isZero()) continue;
    if (price === null) return undefined;
    micros = micros.plus(new Exact(difference).times(price).times(1_000_000));
  }
  return BigInt(micros.toFixed(0, Decimal.ROUND_FLOOR));
}
