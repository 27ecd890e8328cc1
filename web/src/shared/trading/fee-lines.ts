import { feeDefaults } from '#contract/rules.ts';

const MICROS = 1_000_000;
const BPS = 10_000n;

export type FeeLines = { readonly fee: number; readonly position: number };

/**
 * What opening a trade takes and what it buys (product.md sections 2 and 6), in dollars: the fee is 0.40 % of the
 * amount, rounded down to a micro as the ledger does it, the position is the rest. Null for what is no amount yet.
 * `feeLines(550)` is `{ fee: 2.2, position: 547.8 }`
 */
export function feeLines(amount: number | null): FeeLines | null {
  if (amount === null || !Number.isFinite(amount) || amount <= 0) return null;
  const micros = BigInt(Math.round(amount * MICROS));
  const fee = (micros * BigInt(feeDefaults.tradeBps)) / BPS;
  return { fee: Number(fee) / MICROS, position: Number(micros - fee) / MICROS };
}

/** A rate in basis points in words. `percentWords(40) === '0.40%'`, `percentWords(1000) === '10%'` */
export const percentWords = (bps: number) => `${bps % 100 === 0 ? bps / 100 : (bps / 100).toFixed(2)}%`;
