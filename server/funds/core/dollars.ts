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
