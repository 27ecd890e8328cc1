import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({ precision: 80, toExpPos: 80, toExpNeg: -80 });

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
  dollarsBooked: string,
  held: ReadonlyMap<string, string>,
): VenueLine[] {
  const booked = new Map([['USDT', dollarsBooked], ...held]);
  const coins = [...booked.keys(), ...[...reported.keys()].filter((coin) => !booked.has(coin)).toSorted()];
  return coins.map((coin) => {
    const [has, should] = [new Exact(reported.get(coin) ?? 0), new Exact(booked.get(coin) ?? 0)];
    return { coin, reported: has.toFixed(), booked: should.toFixed(), difference: has.minus(should).toFixed() };
  });
}

/** A difference that matters: dollars above a micro an asset, which is more than rounding can make; coins at once. */
export function isDifferent({ coin, difference }: VenueLine, assets: number): boolean {
  const size = new Exact(difference).abs();
  return coin === 'USDT' ? size.gt(new Exact(assets).div(1_000_000)) : size.gt(0);
}
