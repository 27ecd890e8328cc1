import { Decimal } from 'decimal.js';
import type { VenueLine } from './venue-difference.ts';

const Exact = Decimal.clone({ precision: 80, toExpPos: 80, toExpNeg: -80, rounding: Decimal.ROUND_FLOOR });
const DOLLARS = 'USDT';

/**
 * What the exchange reports to hold, in micros as the ledger counts it: what the books say, and every difference at its price.
 * Positions thereby stand at their cost, as they do in what members are owed: their open results are on neither side. Coins that
 * the books know nothing of are left out. Undefined where a coin that differs has no price.
 *
 * Booked 1 000 $; the exchange has 5 $ less and 0.01 BTC less, at 50 000: 1 000 − 5 − 500 = 495.
 *
 * @param prices dollars of a coin, by its name at the exchange
 */
export function reportedHolding(
  bookedMicros: bigint,
  lines: readonly VenueLine[],
  prices: ReadonlyMap<string, string | null>,
): bigint | undefined {
  let micros = new Exact(bookedMicros.toString());
  for (const { coin, booked, difference } of lines) {
    if (new Exact(difference).isZero() || (coin !== DOLLARS && new Exact(booked).isZero())) continue;
    const price = coin === DOLLARS ? '1' : (prices.get(coin) ?? null);
    if (price === null) return undefined;
    micros = micros.plus(new Exact(difference).times(price).times(1_000_000));
  }
  return BigInt(micros.toFixed(0, Decimal.ROUND_FLOOR));
}
