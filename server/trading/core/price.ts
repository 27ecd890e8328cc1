import { strict as assert } from 'node:assert';
import { Decimal } from 'decimal.js';

/**
 * Fill prices have 12 decimals: integers of 10⁻¹² dollar in code, numeric(30,12) in SQL. Both round half up once per
 * step, so prices and everything derived from them can be recomputed to the last digit.
 */
export const PRICE_DECIMALS = 12;
/** Coins that are bought or sold have no more decimals, so that what is left of them can be sold as well. */
export const COIN_DECIMALS = 12;

/** The spread is a whole number of basis points; each side of a trade bears half of it. */
const HALF_SPREAD_BASE = 20_000n;

const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/**
 * Decimal text to units of 10⁻¹² dollar, rounded half up: `parsePrice('0.5') === 500_000_000_000n`. Anything but a
 * positive plain decimal is a broken invariant: market prices are validated on arrival.
 */
export function parsePrice(text: string): bigint {
  const match = DECIMAL.exec(text);
  assert(match, `not a price: ${text}`);
  const [, whole = '', fraction = ''] = match;
  const kept = fraction.slice(0, PRICE_DECIMALS).padEnd(PRICE_DECIMALS, '0');
  const roundsUp = (fraction[PRICE_DECIMALS] ?? '0') >= '5';
  const units = BigInt(whole + kept) + (roundsUp ? 1n : 0n);
  assert(units > 0n, `not a price: ${text}`);
  return units;
}

/** Units to decimal text: `formatPrice(500_000_000_000n) === '0.500000000000'`. */
export function formatPrice(units: bigint): string {
  const digits = units.toString().padStart(PRICE_DECIMALS + 1, '0');
  return `${digits.slice(0, -PRICE_DECIMALS)}.${digits.slice(-PRICE_DECIMALS)}`;
}

/**
 * What a member pays: the mark and half the spread (docs/product.md, section 3).
 * `buyPrice('100', 10) === '100.050000000000'`
 */
export function buyPrice(mark: string, spreadBps: number): string {
  return formatPrice(shifted(mark, HALF_SPREAD_BASE + BigInt(spreadBps)));
}

/**
 * What a member receives: the mark less half the spread.
 * `sellPrice('100', 10) === '99.950000000000'`
 */
export function sellPrice(mark: string, spreadBps: number): string {
  assert(spreadBps < Number(HALF_SPREAD_BASE), 'a spread of 200 % leaves no price');
  return formatPrice(shifted(mark, HALF_SPREAD_BASE - BigInt(spreadBps)));
}

/** Half up, as numeric rounds; prices are positive. */
function shifted(mark: string, numerator: bigint): bigint {
  return (parsePrice(mark) * numerator + HALF_SPREAD_BASE / 2n) / HALF_SPREAD_BASE;
}

/** Decimals that keep every digit an exchange may write; division precision far exceeds that of money. */
export const Exact = Decimal.clone({ precision: 80, toExpPos: 80, toExpNeg: -80, rounding: Decimal.ROUND_HALF_UP });

export const MICROS = 1_000_000;

/** Dollars to micros, rounded down: `floorMicros(new Exact('1.2345678')) === 1_234_567n` */
export const floorMicros = (dollars: Decimal): bigint =>
  BigInt(dollars.times(MICROS).toDecimalPlaces(0, Decimal.ROUND_FLOOR).toFixed(0));

/** Micros of a quantity at a mark, rounded down, without sign; null without a mark. `0.00056` at `100`: 56 000. */
export const valueAtMark = (quantity: string, mark: string | null): bigint | null =>
  mark === null ? null : floorMicros(new Exact(quantity).abs().times(mark));

/** A price in stored form: 12 decimals, half up. */
export const toPriceText = (price: Decimal): string => price.toFixed(12, Decimal.ROUND_HALF_UP);

/** Whether two quantities are equal, however written: `isSameQuantity('0.10', '0.1')`. */
export const isSameQuantity = (one: string, other: string): boolean => new Exact(one).eq(other);

/** Whether text is a non-negative plain decimal, as exchanges write quantities. */
export const isQuantity = (text: string): boolean => /^\d+(\.\d+)?(e-?\d+)?$/i.test(text);
