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

/** Whether a number of dollars has no more decimals than micros. `isExact(0.1) === true`, `isExact(0.1234567) === false`, nor is -0 an amount. */
export const isExact = (dollars: number): boolean =>
  Number(dollars.toFixed(DECIMALS)) === dollars && !Object.is(dollars, -0);

/** Micros to the plain number JSON carries. `toDollars(12_500_000n) === 12.5` */
export function toDollars(micros: bigint): number {
  const dollars = toVolume(micros);
  if (Math.abs(dollars) > MAX_DOLLARS) throw new RangeError('amount too large for JSON');
  return dollars;
}

/** The same of a volume, which adds up what a team traded and is only shown: above 9 · 10⁹ dollars the nearest number there is. */
export const toVolume = (micros: bigint): number => Number(micros) / Number(MICROS_PER_DOLLAR);

/**
 * `share` of an amount, rounded down once (docs/product.md, section 2): what is left stays where it came from.
 * `shareOf(1_000_001n, 40n, 10_000n) === 4_000n`
 */
export function shareOf(micros: bigint, numerator: bigint, denominator: bigint): bigint {
  return (micros * numerator) / denominator;
}

/** Micros as decimal text with all six decimals: `writeDollars(-3_500_000n) === '-3.500000'`. */
export function writeDollars(micros: bigint): string {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0');
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** All decimals that say something, two at least: `exactDollars(50n) === '0.00005'`. */
export const exactDollars = (micros: bigint): string => writeDollars(micros).replace(/0{1,4}$/, '');

/** Micros as a person reads them, without rounding. `formatDollars(1_234_500_000n) === '$1,234.50'`, `formatDollars(-1n) === '-$0.000001'` */
export const formatDollars = (micros: bigint): string =>
  exactDollars(micros)
    .replace(/\d/, '$$$&')
    .replace(/\B(?=(\d{3})+\.)/g, ',');

/**
 * The same in a sentence where an amount is not confirmed: four decimals at most, rounded down so that a message never
 * says more than arrived. `formatRounded(1_234_567_899n) === '$1,234.5678'`
 */
export const formatRounded = (micros: bigint): string => formatDollars(micros - (micros % 100n));

/**
 * An amount with four decimals at most, rounded half away from zero, as pages show it too (the specification, point 5).
 * `roundToShown(2_258_885n) === 2_258_900n`, `roundToShown(-49n) === 0n`
 */
export const roundToShown = (micros: bigint): bigint => ((micros + (micros < 0n ? -50n : 50n)) / 100n) * 100n;
