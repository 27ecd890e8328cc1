import { moneyParts } from './money.ts';

/** `1.24%`; signed `+1.24%` or `−0.29%`; exactly zero `0%`; unknown a dash. The value is in percent, not a fraction. */
export function formatPercent(
  percent: number | null | undefined,
  options: { signed?: boolean; decimals?: 2 | 4 } = {},
): string {
  if (percent === null || percent === undefined) return '–';
  const parts = moneyParts(percent, options.decimals ?? 2);
  if (parts.sign === 0) return '0%';
  const sign = parts.sign < 0 ? '−' : options.signed ? '+' : '';
  return `${sign}${parts.whole}.${parts.decimals}%`;
}
