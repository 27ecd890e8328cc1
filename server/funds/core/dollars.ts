/**
 * Micros as people read them in a sentence: `$1,000.00`, at most four decimals, rounded down so that a message never
 * says more than arrived. `formatDollars(1_234_567_899n) === '$1,234.5678'`
 */
export function formatDollars(micros: bigint): string {
  const whole = (micros / 1_000_000n).toLocaleString('en-US');
  const fraction = String(micros % 1_000_000n)
    .padStart(6, '0')
    .slice(0, 4)
    .replace(/0{1,2}$/, '');
  return `$${whole}.${fraction}`;
}

/**
 * Micros as people confirm them: all digits that are not zero, at least two decimals.
 * `formatExact(250_500_001n) === '$250.500001'`, `formatExact(250_000_000n) === '$250.00'`
 */
export function formatExact(micros: bigint): string {
  const whole = (micros / 1_000_000n).toLocaleString('en-US');
  const fraction = String(micros % 1_000_000n)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `$${whole}.${fraction}`;
}
