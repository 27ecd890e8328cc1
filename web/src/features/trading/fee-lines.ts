import { shareOf, toDollars, toMicros } from '#contract/money.ts';
import { feeDefaults } from '#contract/rules.ts';

const BPS = 10_000n;

export type FeeLines = { readonly fee: number; readonly position: number };

/**
 * What opening a trade takes and what it buys (product.md sections 2 and 6), in dollars: the fee is 0.40 % of the
 * amount, rounded down to a micro as the ledger does it, the position is the rest. Null for what is no amount yet.
 * `feeLines(550)` is `{ fee: 2.2, position: 547.8 }`
 */
export function feeLines(amount: number | null): FeeLines | null {
  if (amount === null || !Number.isFinite(amount) || amount <= 0) return null;
  const exact = exactMicros(amount);
  if (exact === null) return null;
  const fee = shareOf(exact, BigInt(feeDefaults.tradeBps), BPS);
  return { fee: toDollars(fee), position: toDollars(exact - fee) };
}

/** Null where the typed number has more than six decimals or is too large: the server refuses it, so nothing is shown. */
function exactMicros(dollars: number): bigint | null {
  try {
    return toMicros(dollars);
  } catch {
    return null;
  }
}

/** A rate in basis points in words. `percentWords(40) === '0.40%'`, `percentWords(1000) === '10%'` */
export const percentWords = (bps: number) => `${bps % 100 === 0 ? bps / 100 : (bps / 100).toFixed(2)}%`;
