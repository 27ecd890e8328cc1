import { isExact, MAX_DOLLARS } from '#contract/money.ts';
import { t } from '../../api/texts.ts';

export type ReadAmount = { ok: true; dollars: number } | { ok: false; message: string };

/** A number typed in plain digits; NaN for anything else, such as `1,000`, `1e3` or an empty field. */
export function numberOf(text: string): number {
  const typed = text.trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(typed) ? Number(typed) : Number.NaN;
}

/**
 * Parses a typed amount of money. Refusals have the order and words of the contract's `moneyAmount`, whose schema is
 * never sent to a browser. Grouping commas are refused rather than guessed at: "1,500" is 1500 to one reader and 1.5 to
 * another. `readAmount('0.0000001')` is refused with "An amount has at most 6 decimals."
 */
export function readAmount(text: string): ReadAmount {
  const dollars = numberOf(text);
  if (Number.isNaN(dollars)) return refused(t`Enter an amount in numbers.`);
  if (dollars < 0) return refused(t`An amount cannot be negative.`);
  // The contract accepts no amount above this, so the error names it rather than the limits of the form.
  if (dollars > MAX_DOLLARS) return refused(t`The amount is too large.`);
  if (!isExact(dollars)) return refused(t`An amount has at most 6 decimals.`);
  return { ok: true, dollars };
}

const refused = (message: string): ReadAmount => ({ ok: false, message });
