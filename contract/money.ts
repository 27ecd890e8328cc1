import { z } from 'zod';
import { english } from './texts.ts';

const { t } = english;

/** One dollar in micros, the unit every amount is stored in (docs/product.md, section 2). */
export const MICROS_PER_DOLLAR = 1_000_000n;
const DECIMALS = 6;

/** Above this a JSON number can no longer carry six decimals exactly. */
export const MAX_DOLLARS = 9_000_000_000;

/**
 * Dollars as they came over the wire to micros. Exact or refused: an assert for programmers, because bodies are
 * checked by `moneyAmount` before. `toMicros(12.5) === 12_500_000n`
 */
export function toMicros(dollars: number): bigint {
  const text = dollars.toFixed(DECIMALS);
  if (Number(text) !== dollars || Math.abs(dollars) > MAX_DOLLARS) throw new RangeError('not a money amount');
  return BigInt(text.replace('.', ''));
}

/** Micros to the plain number JSON carries. `toDollars(12_500_000n) === 12.5` */
export function toDollars(micros: bigint): number {
  const dollars = Number(micros) / Number(MICROS_PER_DOLLAR);
  if (Math.abs(dollars) > MAX_DOLLARS) throw new RangeError('amount too large for JSON');
  return dollars;
}

/**
 * `share` of an amount, rounded down once (docs/product.md, section 2): what is left stays where it came from.
 * `shareOf(1_000_001n, 40n, 10_000n) === 4_000n`
 */
export function shareOf(micros: bigint, numerator: bigint, denominator: bigint): bigint {
  return (micros * numerator) / denominator;
}

const isExact = (value: number) => Number(value.toFixed(DECIMALS)) === value && !Object.is(value, -0);

/** An amount in a request: dollars, not negative, at most 6 decimals, at most 9·10⁹. Minimums belong to the operation. */
export const moneyAmount = z
  .number(t`Enter an amount in numbers.`)
  .nonnegative(t`An amount cannot be negative.`)
  .max(MAX_DOLLARS, t`The amount is too large.`)
  .refine(isExact, t`An amount has at most 6 decimals.`)
  .meta({ description: 'US dollars, at most 6 decimals' });

/** Dollars in a reply, never negative. */
export const money = z.number().nonnegative().meta({ description: 'US dollars, at most 6 decimals' });

/** Dollars in a reply, either sign. */
export const signedMoney = z.number().meta({ description: 'US dollars, signed, at most 6 decimals' });
