import { t } from '../../api/texts.ts';

const MICROS = 1_000_000;
const BPS = 10_000n;

export type FeeLines = { readonly fee: number; readonly position: number };

/**
 * What opening a trade takes and what it buys (docs/product.md, sections 2 and 6), in dollars: the fee is its rate of
 * the amount, rounded down to a micro as the ledger does it, the position is the rest. Null for what is no amount yet,
 * and while the rate is not known. `feeLines(550, 40)` is `{ fee: 2.2, position: 547.8 }`
 */
export function feeLines(amount: number | null, tradeBps: number | undefined): FeeLines | null {
  if (tradeBps === undefined || amount === null || !Number.isFinite(amount) || amount <= 0) return null;
  const micros = BigInt(Math.round(amount * MICROS));
  const fee = (micros * BigInt(tradeBps)) / BPS;
  return { fee: Number(fee) / MICROS, position: Number(micros - fee) / MICROS };
}

/** A rate in basis points in words. `percentWords(40) === '0.40%'`, `percentWords(1000) === '10%'` */
export const percentWords = (bps: number) => `${bps % 100 === 0 ? bps / 100 : (bps / 100).toFixed(2)}%`;

/** A line's label with its rate, once that is known. `rateLabel('Trade fee', 40) === 'Trade fee, 0.40%'` */
export const rateLabel = (label: string, bps: number | undefined) =>
  bps === undefined ? label : `${label}, ${percentWords(bps)}`;

/** What of a gain the house takes. `ofGain(1000) === '10% of a gain'` */
export const ofGain = (bps: number | undefined) => (bps === undefined ? '–' : t`${percentWords(bps)} of a gain`);
