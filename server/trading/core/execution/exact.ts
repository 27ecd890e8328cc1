import { Decimal } from 'decimal.js';

/** Decimals that keep every digit an exchange may write; divisions are cut far below what money has. */
export const Exact = Decimal.clone({ precision: 80, toExpPos: 80, toExpNeg: -80, rounding: Decimal.ROUND_HALF_UP });

export const MICROS = 1_000_000;

/** Dollars to micros, rounded down: `floorMicros(new Exact('1.2345678')) === 1_234_567n` */
export const floorMicros = (dollars: Decimal): bigint =>
  BigInt(dollars.times(MICROS).toDecimalPlaces(0, Decimal.ROUND_FLOOR).toFixed(0));

/** Micros of a quantity at a mark, rounded down, without sign; null without a mark. `0.00056` at `100`: 56 000. */
export const valueAtMark = (quantity: string, mark: string | null): bigint | null =>
  mark === null ? null : floorMicros(new Exact(quantity).abs().times(mark));

/** A price as it is stored: 12 decimals, half up. */
export const toPriceText = (price: Decimal): string => price.toFixed(12, Decimal.ROUND_HALF_UP);

/** The same quantity, however it is written. `isSameQuantity('0.10', '0.1')` */
export const isSameQuantity = (one: string, other: string): boolean => new Exact(one).eq(other);

/** A plain decimal that is not negative, as exchanges write quantities. */
export const isQuantity = (text: string): boolean => /^\d+(\.\d+)?(e-?\d+)?$/i.test(text);
