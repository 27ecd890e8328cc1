import { Decimal } from 'decimal.js';
import { closingSaleMinutes } from '#contract/rules.ts';
import { COIN_DECIMALS, Exact } from '../price.ts';

const PARTS = closingSaleMinutes;
const MINUTE_MS = 60_000;

/** From this instant on nothing opens, and open positions are being sold: `closingStart(17:30)` is 17:25. */
export const closingStart = (closesAt: Date): Date => new Date(closesAt.getTime() - PARTS * MINUTE_MS);

type Sold = { readonly total: string; readonly sold: string };

/** Whether nothing is left that could be sold. Of 0.049235800386 coins 0.0492358003859422 sold: it is. */
export const isSold = ({ total, sold }: Sold): boolean =>
  new Exact(total).minus(sold).toDecimalPlaces(COIN_DECIMALS, Decimal.ROUND_DOWN).lte(0);

/**
 * Coins to sell now: in the n-th of the last five minutes n fifths must be sold, and from the fifth on everything. Sold
 * 0.2 of 2 coins at 17:26: 0.6.
 */
export function partToSell(
  { total, sold }: Sold,
  closesAt: Date,
  marketAt: Date,
): { readonly sellCoins: string; readonly isLast: boolean } {
  const minute = Math.floor((marketAt.getTime() - closingStart(closesAt).getTime()) / MINUTE_MS);
  const part = Math.min(PARTS, minute + 1);
  const due = new Exact(total).times(part).div(PARTS).minus(sold).toDecimalPlaces(COIN_DECIMALS, Decimal.ROUND_DOWN);
  return { sellCoins: Exact.max(due, 0).toFixed(), isLast: part === PARTS };
}
