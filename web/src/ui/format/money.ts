import { formatSteps, toSteps } from './number.ts';

/** How many decimals a dollar amount shows; `typed` is 2, and more (to 4) only where the amount has them. */
export type MoneyDecimals = 4 | 2 | 'typed';

type Dollars = number | null | undefined;

const digitsOf = (decimals: MoneyDecimals) => (decimals === 'typed' ? 4 : decimals);

/** −1, 0 or 1 of an amount as it is shown: what rounds to nothing is 0; undefined where it is not known. */
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
    minimumFractionDigits: steps === 0n ? 0 : decimals === 'typed' ? 2 : digits,
    maximumFractionDigits: digits,
    signDisplay,
  });
}

/** `+$7.4379`, `−$4.4133`, `$0`. */
export const formatSignedMoney = (dollars: Dollars, decimals?: MoneyDecimals): string =>
  formatMoney(dollars, decimals, 'exceptZero');
