/** Prices of assets at one instant, in units of 10⁻¹² dollar (`parsePrice`); assets without a price are missing. */
export type PricesAt = ReadonlyMap<string, bigint>;

/**
 * micros × `PRECISION` ÷ price is a quantity in units of 10⁻¹⁸ coin; quantity × price ÷ `PRECISION` is micros again.
 */
const PRECISION = 10n ** 24n;

/**
 * The buy-and-hold benchmark of net deposits (docs/trading.md, "Buy and hold"). Each deposit buys an equal share of
 * every asset that has a price, at the mark, without spread or fee; each withdrawal sells the same fraction of every
 * holding. What the holdings cannot cover is owed, deducted, and repaid first by later deposits. Deposits made before
 * any price exists wait, with a null value, and buy at the first instant of either list that has prices. Quantities are
 * truncated after 18 decimals, values rounded half up.
 *
 * 100 deposited with a at 10 and b at 50 buys 5 of a and 1 of b. With a at 12 and b at 40 it is worth 100; 25 withdrawn
 * sells a quarter of each; with a at 20 and b at 40 the rest, 3.75 of a and 0.75 of b, is worth 105.
 *
 * @param movements in time order
 * @param instants in time order; a movement at an instant counts for it
 * @param pricesAt of any instant of the two lists
 */
export function buyAndHold(
  movements: readonly Movement[],
  instants: readonly Date[],
  pricesAt: (at: Date) => PricesAt,
): (bigint | null)[] {
  const holding = new Holding();
  let next = 0;
  return instants.map((instant) => {
    for (
      let movement = movements[next];
      movement !== undefined && movement.marketAt <= instant;
      movement = movements[next]
    ) {
      holding.move(movement.signedMicros, pricesAt(movement.marketAt));
      next += 1;
    }
    return holding.valueAt(pricesAt(instant));
  });
}

class Holding {
  private readonly coins = new Map<string, bigint>();
  /** Deposits from before the first price. */
  private waiting = 0n;
  /** Withdrawals beyond the value of the holdings. */
  private owed = 0n;

  move(signedMicros: bigint, prices: PricesAt): void {
    this.waiting += signedMicros;
    this.settle(prices);
  }

  valueAt(prices: PricesAt): bigint | null {
    this.settle(prices);
    return this.waiting === 0n ? this.worth(prices) - this.owed : null;
  }

  private settle(prices: PricesAt): void {
    if (prices.size === 0 || this.waiting === 0n) return;
    const moved = this.waiting;
    this.waiting = 0n;
    if (moved > 0n) this.buy(moved, prices);
    else this.sell(-moved, prices);
  }

  private buy(micros: bigint, prices: PricesAt): void {
    const paidBack = micros < this.owed ? micros : this.owed;
    this.owed -= paidBack;
    const share = (micros - paidBack) / BigInt(prices.size);
    for (const [symbol, price] of prices) {
      this.coins.set(symbol, (this.coins.get(symbol) ?? 0n) + (share * PRECISION) / price);
    }
  }

  private sell(micros: bigint, prices: PricesAt): void {
    const worth = this.worth(prices);
    const sold = micros < worth ? micros : worth;
    this.owed += micros - sold;
    for (const [symbol, coins] of this.coins) {
      if (prices.has(symbol)) this.coins.set(symbol, worth === 0n ? coins : (coins * (worth - sold)) / worth);
    }
  }

  private worth(prices: PricesAt): bigint {
    let worth = 0n;
    for (const [symbol, coins] of this.coins) worth += coins * (prices.get(symbol) ?? 0n);
    return (worth + PRECISION / 2n) / PRECISION;
  }
}

/** A deposit (positive) or withdrawal (negative) at a market time. */
export type Movement = { readonly marketAt: Date; readonly signedMicros: bigint };

/**
 * Net deposits at each instant, the line next to the equity curve. Both lists are in time order; a movement at an
 * instant counts for it.
 *
 * 1 000 in on Monday, 300 out on Wednesday: Monday 1 000, Tuesday 1 000, Thursday 700.
 */
export function netDepositsAt(movements: readonly Movement[], instants: readonly Date[]): bigint[] {
  let next = 0;
  let sum = 0n;
  return instants.map((instant) => {
    for (
      let movement = movements[next];
      movement !== undefined && movement.marketAt <= instant;
      movement = movements[next]
    ) {
      sum += movement.signedMicros;
      next += 1;
    }
    return sum;
  });
}
