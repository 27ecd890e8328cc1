/** Micros as a person reads them, without rounding. `formatDollars(1_234_500_000n) === '$1,234.50'`, `formatDollars(-1n) === '-$0.000001'` */
export function formatDollars(micros: bigint): string {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0');
  const whole = digits.slice(0, -6).replace(/\B(?=(\d{3})+$)/g, ',');
  const cents = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${micros < 0n ? '-' : ''}$${whole}.${cents}`;
}
