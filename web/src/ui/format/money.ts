/** How many decimals a dollar amount shows; `typed` is 2, and more (to 4) only where the amount has them. */
export type MoneyDecimals = 4 | 2 | 'typed';

/** The parts of an amount, so that a component can set the last two decimals back. */
type MoneyParts = { sign: -1 | 0 | 1; whole: string; decimals: string };

const MICRO_DIGITS = 6;

/**
 * Dollars in parts, exact: amounts have at most 6 decimals, so they are rounded (half away from zero) as integers of
 * micros and never as binary fractions. An amount that rounds to nothing has sign 0.
 * `moneyParts(-4218.63496, 4)` is sign −1, whole '4,218', decimals '6350'.
 */
export function moneyParts(dollars: number, decimals: MoneyDecimals): MoneyParts {
  const text = Math.abs(dollars).toFixed(MICRO_DIGITS);
  const micros = BigInt(text.replace('.', ''));
  const digits = decimals === 'typed' ? 4 : decimals;
  const unit = 10n ** BigInt(MICRO_DIGITS - digits);
  const units = (micros + unit / 2n) / unit;
  const scale = 10n ** BigInt(digits);
  let fraction = String(units % scale).padStart(digits, '0');
  if (decimals === 'typed') fraction = fraction.replace(/0{1,2}$/, '');
  return {
    sign: units === 0n ? 0 : dollars < 0 ? -1 : 1,
    whole: String(units / scale).replace(/\B(?=(\d{3})+$)/g, ','),
    decimals: fraction,
  };
}

/** `$4,218.6350`; zero is `$0`; unknown is a dash, never 0. */
export function formatMoney(dollars: number | null | undefined, decimals: MoneyDecimals = 4): string {
  if (dollars === null || dollars === undefined) return '–';
  const parts = moneyParts(dollars, decimals);
  return parts.sign === 0 ? '$0' : `${parts.sign < 0 ? '−' : ''}$${parts.whole}.${parts.decimals}`;
}

/** `+$7.4379`, `−$4.4133`, `$0`. */
export function formatSignedMoney(dollars: number | null | undefined, decimals: MoneyDecimals = 4): string {
  const text = formatMoney(dollars, decimals);
  return dollars !== null && dollars !== undefined && moneyParts(dollars, decimals).sign > 0 ? `+${text}` : text;
}
