/** One dollar in micros, the unit every amount is stored in (docs/product.md, section 2). */
export const MICROS_PER_DOLLAR = 1_000_000n;
const DECIMALS = 6;

/** The most in a request. Above 2³³ neighbouring JSON numbers are more than a micro apart, and not every amount is one. */
export const MAX_DOLLARS = 8_500_000_000;
/** What was stored when more was accepted is read. */
const MAX_STORED_DOLLARS = 9_000_000_000;

/**
 * Dollars from the wire to micros, exactly. Throws instead of refusing, because `moneyAmount` has already checked the
 * body. `toMicros(12.5) === 12_500_000n`
 */
export function toMicros(dollars: number): bigint {
  const text = dollars.toFixed(DECIMALS);
  if (Number(text) !== dollars || Math.abs(dollars) > MAX_STORED_DOLLARS) throw new RangeError('not a money amount');
  return BigInt(text.replace('.', ''));
}

/** Whether dollars are whole micros: `isExact(0.1) === true`, `isExact(0.1234567) === false`; -0 is not an amount. */
export const isExact = (dollars: number): boolean =>
  Number(dollars.toFixed(DECIMALS)) === dollars && !Object.is(dollars, -0);

/** Micros to dollars as a JSON number. `toDollars(12_500_000n) === 12.5` */
export function toDollars(micros: bigint): number {
  const dollars = toTotal(micros);
  if (Math.abs(dollars) > MAX_DOLLARS && toMicros(dollars) !== micros)
    throw new RangeError('no JSON number is this amount');
  return dollars;
}

/** The same for an amount that may be missing. */
export const dollarsOrNull = (micros: bigint | null): number | null => (micros === null ? null : toDollars(micros));

/**
 * The same for a sum of movements, as turnover or a lifetime result: it has no bound and is only displayed, so above
 * `MAX_DOLLARS` it is the nearest number. Balances and single amounts take `toDollars`.
 */
export const toTotal = (micros: bigint): number => Number(micros) / Number(MICROS_PER_DOLLAR);

/**
 * A share of an amount, rounded down once (docs/product.md, section 2): the remainder stays in its source.
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

/** Without trailing zeros, but at least two decimals: `exactDollars(50n) === '0.00005'`. */
export const exactDollars = (micros: bigint): string => writeDollars(micros).replace(/0{1,4}$/, '');

/** Micros for people, not rounded: `formatDollars(1_234_500_000n) === '$1,234.50'`, `-1n` is `'−$0.000001'`. */
export const formatDollars = (micros: bigint): string =>
  exactDollars(micros)
    .replace('-', '−')
    .replace(/\d/, '$$$&')
    .replace(/\B(?=(\d{3})+\.)/g, ',');

/**
 * An amount with at most four decimals, rounded half away from zero, as pages show it (the specification, point 5).
 * `roundToShown(2_258_885n) === 2_258_900n`, `roundToShown(-49n) === 0n`
 */
export const roundToShown = (micros: bigint): bigint => ((micros + (micros < 0n ? -50n : 50n)) / 100n) * 100n;

/** The same as text, for messages that need no exact amount: `formatRounded(1_234_567_899n) === '$1,234.5679'`. */
export const formatRounded = (micros: bigint): string => formatDollars(roundToShown(micros));
