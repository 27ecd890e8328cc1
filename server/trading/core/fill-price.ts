import { strict as assert } from 'node:assert';

/**
 * Fill prices have 12 decimals, in code as integers of 10⁻¹² dollar and in SQL as numeric(30,12). Both round the same
 * way, half up, once per step, so that a price and what follows from it can be computed again to the last digit.
 */
export const PRICE_DECIMALS = 12;

/** The spread is a whole number of basis points; each side of a trade bears half of it. */
const HALF_SPREAD_BASE = 20_000n;

const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/**
 * Decimal text to units of 10⁻¹² dollar, rounded half up: `parsePrice('0.5') === 500_000_000_000n`.
 * Anything but a positive plain decimal is a broken invariant: market prices are checked where they come in.
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
 * What a member gets: the mark less half the spread.
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
