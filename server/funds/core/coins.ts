import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({ precision: 100, toExpNeg: -100, toExpPos: 100 });
const MICROS = 1_000_000;

/** Coins of a gateway as decimal text, and the micros that the ledger has for them. */
export type Coins = { readonly units: string; readonly bookedMicros: bigint };

const floor = (value: Decimal): bigint => BigInt(value.toFixed(0, Decimal.ROUND_FLOOR));

/** Micros that coins are worth, rounded down: 0.0198 at $50,000 are $990. */
export const valueOfCoins = (units: string, rate: string): bigint => floor(new Exact(units).times(rate).times(MICROS));

/** One amount of coins and another. `addUnits('0.3', '-0.1') === '0.2'` */
export const addUnits = (units: string, more: string): string => new Exact(units).plus(more).toFixed();

/**
 * Coins that so many micros are booked for, to a hundred-millionth, where nobody says how many were sent: of 0.5 that stand at
 * $25,000 those of $990 are 0.0198. None while nothing is held.
 */
export function unitsBookedFor({ units, bookedMicros }: Coins, micros: bigint): string {
  const held = new Exact(units);
  if (held.lte(0) || bookedMicros <= 0n) return '0';
  return held.times(micros.toString()).div(bookedMicros.toString()).toDecimalPlaces(8).toFixed();
}

/** Micros that some of the coins are booked at, rounded down: of 0.5 that stand at $25,000, 0.0198 are $990. */
export function microsBookedFor({ units, bookedMicros }: Coins, some: string): bigint {
  const held = new Exact(units);
  if (held.lte(0) || bookedMicros <= 0n) return 0n;
  return floor(Exact.min(1, new Exact(some).div(held)).times(bookedMicros.toString()));
}

/** Micros of one coin at which they are booked, as dollars; null while that says nothing. */
export function bookedRate({ units, bookedMicros }: Coins): string | null {
  if (bookedMicros <= 0n || new Exact(units).lte(0)) return null;
  return new Exact(bookedMicros.toString()).div(MICROS).div(units).toFixed();
}

/** More than twice or less than half of another one: the price, or who told it, is out of order. */
export const isFarRate = (rate: string, other: string): boolean =>
  new Exact(rate).gt(new Exact(other).times(2)) || new Exact(rate).times(2).lt(other);

const CONFIRMS_AFTER_MS = 3_600_000;

type LastRates = {
  readonly rate: string | null;
  readonly doubted: { readonly rate: string; readonly at: Date } | null;
};

/**
 * Whether coins are valued at a rate: not when it is far from the last one, unless an hour later it is still about as far.
 * After $50,000 a rate of $9,000 is not taken, and taken at the next hour's $9,200.
 */
export function isRateTaken(rate: string, { rate: last, doubted }: LastRates, now: Date): boolean {
  if (last === null || !isFarRate(rate, last)) return true;
  return (
    doubted !== null && !isFarRate(rate, doubted.rate) && now.getTime() - doubted.at.getTime() >= CONFIRMS_AFTER_MS
  );
}

/** A network fee of more than this, and of more than a twentieth of what was sent, is something else that left with it. */
const PLAIN_FEE_MICROS = 200_000_000n;

export const isPlausibleFee = (feeMicros: bigint, sentMicros: bigint): boolean =>
  feeMicros <= PLAIN_FEE_MICROS || feeMicros * 20n <= sentMicros;
