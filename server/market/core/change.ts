import { Decimal } from 'decimal.js';

/**
 * Change of a price in percent, to four decimals; null when either price is unknown: unknown is not zero.
 * Worked: from 120 to 121.5 is 1.25.
 */
export function changePercent(before: string | null, now: string | null): number | null {
  if (before === null || now === null) return null;
  return new Decimal(now).dividedBy(before).minus(1).times(100).toDecimalPlaces(4).toNumber();
}
