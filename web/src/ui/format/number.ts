import { numberFormat } from './locale.ts';

/** A count: `formatCount(1204) === '1,204'`. */
export const formatCount = (count: number): string => numberFormat({}).format(count);

/** With exactly that many decimals: `formatDecimal(1204.5, 2) === '1,204.50'`. */
export const formatDecimal = (value: number, digits: number): string =>
  numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** A decimal with all its digits: `grouped('68412.5') === '68,412.5'` */
export function grouped(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}

/** Dollars added in micros: as binary fractions, 0.1 and 0.2 would not be 0.3. */
export const sumDollars = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + Math.round(amount * 1e6), 0) / 1e6;

const MICRO_DIGITS = 6;

/**
 * A number in steps of its last decimal, rounded half away from zero. Amounts have at most 6 decimals, so they are
 * rounded as integer micros and never as binary fractions. `toSteps(-4218.63496, 4) === -42186350n`
 */
function toSteps(value: number, digits: number): bigint {
  const micros = BigInt(Math.abs(value).toFixed(MICRO_DIGITS).replace('.', ''));
  const step = 10n ** BigInt(MICRO_DIGITS - digits);
  const steps = (micros + step / 2n) / step;
  return value < 0 ? -steps : steps;
}

/** Formats steps as the exact decimal number, with the typographic minus sign. */
const formatSteps = (steps: bigint, digits: number, options: Intl.NumberFormatOptions): string =>
  numberFormat(options)
    .format(`${steps}E-${digits}` as Intl.StringNumericLiteral)
    .replace('-', '−');

/**
 * `formatPercent(1.24) === '1.24%'`; signed `+1.24%` or `−0.29%`; exactly zero `0%`; unknown a dash. The value is in
 * percent, not a fraction.
 */
export function formatPercent(
  percent: number | null | undefined,
  { signed = false, decimals = 2 }: { signed?: boolean; decimals?: 2 | 4 } = {},
): string {
  if (percent === null || percent === undefined) return '–';
  const steps = toSteps(percent, decimals);
  return formatSteps(steps, decimals + 2, {
    style: 'percent',
    minimumFractionDigits: steps === 0n ? 0 : decimals,
    maximumFractionDigits: decimals,
    signDisplay: signed ? 'exceptZero' : 'auto',
  });
}

/** A part in percent of the whole; null where the part is unknown or the whole is zero. `percentOf(5, 250) === 2` */
export const percentOf = (part: number | null | undefined, whole: number): number | null =>
  part === null || part === undefined || whole === 0 ? null : (part / whole) * 100;

/** Large volumes, abbreviated; unknown is a dash. `formatCompact(18_420_000_000) === '18.42bn'` */
export const formatCompact = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? '–'
    : numberFormat({ notation: 'compact', minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value);

/** Decimals shown for a dollar amount; `typed` is 2, or 4 where the amount has more, so that a column stays aligned. */
export type MoneyDecimals = 4 | 2 | 'typed';

type Dollars = number | null | undefined;

const digitsOf = (decimals: MoneyDecimals) => (decimals === 'typed' ? 4 : decimals);

/** −1, 0 or 1 of an amount as displayed: what rounds to zero is 0; undefined where it is unknown. */
export function signOf(dollars: Dollars, decimals: MoneyDecimals): number | undefined {
  if (dollars === null || dollars === undefined) return undefined;
  return toSteps(dollars, digitsOf(decimals)) === 0n ? 0 : Math.sign(dollars);
}

/** `$4,218.6350`; zero is `$0`; unknown is a dash, never 0. */
export function formatMoney(
  dollars: Dollars,
  decimals: MoneyDecimals = 4,
  signDisplay: 'auto' | 'exceptZero' = 'auto',
): string {
  if (dollars === null || dollars === undefined) return '–';
  const digits = digitsOf(decimals);
  const steps = toSteps(dollars, digits);
  return formatSteps(steps, digits, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: steps === 0n ? 0 : decimals === 'typed' && steps % 100n === 0n ? 2 : digits,
    maximumFractionDigits: digits,
    signDisplay,
  });
}

/** `+$7.4379`, `−$4.4133`, `$0`. */
export const formatSignedMoney = (dollars: Dollars, decimals?: MoneyDecimals): string =>
  formatMoney(dollars, decimals, 'exceptZero');
