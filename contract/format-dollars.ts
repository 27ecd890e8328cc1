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
