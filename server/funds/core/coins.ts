import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({ precision: 100, toExpNeg: -100, toExpPos: 100 });
const MICROS = 1_000_000;

/** Coins of a gateway as decimal text, and the micros at which the ledger books them. */
export type Coins = { readonly units: string; readonly bookedMicros: bigint };

const floor = (value: Decimal): bigint => BigInt(value.toFixed(0, Decimal.ROUND_FLOOR));

/** Value of coins in micros, rounded down: 0.0198 at $50,000 are $990. */
export const valueOfCoins = (units: string, rate: string): bigint => floor(new Exact(units).times(rate).times(MICROS));

/** Exact sum. `addUnits('0.3', '-0.1') === '0.2'` */
export const addUnits = (units: string, more: string): string => new Exact(units).plus(more).toFixed();

/**
 * Coins for an amount at the booked rate, to eight decimals, for movements without a known number of coins: with 0.5
 * booked at $25,000, $990 are 0.0198. 0 while nothing is held.
 */
export function unitsBookedFor({ units, bookedMicros }: Coins, micros: bigint): string {
  const held = new Exact(units);
  if (held.lte(0) || bookedMicros <= 0n) return '0';
  return held.times(micros.toString()).div(bookedMicros.toString()).toDecimalPlaces(8).toFixed();
}

/** Book value of some of the coins in micros, rounded down: with 0.5 booked at $25,000, 0.0198 are $990. */
export function microsBookedFor({ units, bookedMicros }: Coins, some: string): bigint {
  const held = new Exact(units);
  if (held.lte(0) || bookedMicros <= 0n) return 0n;
  return floor(Exact.min(1, new Exact(some).div(held)).times(bookedMicros.toString()));
}

/** Booked dollars per coin; null without coins or book value. */
export function bookedRate({ units, bookedMicros }: Coins): string | null {
  if (bookedMicros <= 0n || new Exact(units).lte(0)) return null;
  return new Exact(bookedMicros.toString()).div(MICROS).div(units).toFixed();
}

/** More than twice or less than half of another rate: the market or the source is not to be trusted. */
export const isFarRate = (rate: string, other: string): boolean =>
  new Exact(rate).gt(new Exact(other).times(2)) || new Exact(rate).times(2).lt(other);

const CONFIRMED_AFTER_MS = 3_600_000;

type LastRates = {
  readonly rate: string | null;
  readonly outlier: { readonly rate: string; readonly at: Date } | null;
};

/**
 * Whether coins are revalued at a rate. An outlier is only accepted when an hour later the rate is still near it. After
 * $50,000 a rate of $9,000 is not accepted, the next hour's $9,200 is.
 */
export function isRateAccepted(rate: string, { rate: last, outlier }: LastRates, now: Date): boolean {
  if (last === null || !isFarRate(rate, last)) return true;
  return (
    outlier !== null && !isFarRate(rate, outlier.rate) && now.getTime() - outlier.at.getTime() >= CONFIRMED_AFTER_MS
  );
}

/** A "fee" above this and above a twentieth of the amount sent must include another outflow. */
const PLAIN_FEE_MICROS = 200_000_000n;

export const isPlausibleFee = (feeMicros: bigint, sentMicros: bigint): boolean =>
  feeMicros <= PLAIN_FEE_MICROS || feeMicros * 20n <= sentMicros;
