import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({ precision: 80, toExpPos: 80, toExpNeg: -80, rounding: Decimal.ROUND_FLOOR });
/** One coin or the dollars: what the exchange reports against what the books say it has. Decimal text. */
export type VenueLine = {
  readonly coin: string;
  readonly reported: string;
  readonly booked: string;
  /** Reported less booked: negative means that something is missing. */
  readonly difference: string;
};

/**
 * Compares the exchange's balances with the books, coin by coin; first the dollars, then the coins of ours, then what
 * else lies there.
 *
 * The books say 0.5 BTC and 900 dollars, the exchange 0.5 BTC, 899.75 dollars and 2 BNB: differences `USDT −0.25`,
 * `BTC 0`, `BNB 2`.
 *
 * @param dollarsBooked exact dollars; the exchange keeps more decimals than the ledger, whose roundings are all down
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
    const [has, should] = [new Exact(reported.get(coin) ?? 0), new Exact(booked.get(coin) ?? 0)];
    return { coin, reported: has.toFixed(), booked: should.toFixed(), difference: has.minus(should).toFixed() };
  });
}

/** A difference that matters: dollars above a micro an asset, which is more than rounding can make; coins at once. */
export function isDifferent({ coin, difference }: VenueLine, dollar: string, assets: number): boolean {
  const size = new Exact(difference).abs();
  return coin === dollar ? size.gt(new Exact(assets).div(1_000_000)) : size.gt(0);
}

/**
 * What the exchange reports to hold, in micros as the ledger counts it: what the books say, and every difference at its price.
 * Positions thereby stand at their cost, as they do in what members are owed: their open results are on neither side. Coins that
 * the books know nothing of count where they are ours, for an order that is not booked yet took dollars for them; others are left out.
 * Undefined where a booked coin that differs has no price.
 *
 * Booked 1 000 $; the exchange has 5 $ less and 0.01 BTC less, at 50 000: 1 000 − 5 − 500 = 495.
 *
 * @param prices dollars of a coin of ours, by its name at the exchange
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
