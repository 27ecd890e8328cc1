import { t } from '../../api/texts.ts';

export type ReadAmount = { ok: true; dollars: number } | { ok: false; message: string };

/** Above this the contract takes no amount at all, so the limits of what is asked for are not what to name. */
const MAX_DOLLARS = 9_000_000_000;

/** What was typed in plain digits; NaN for anything else, as `1,000`, `1e3` and nothing. */
export function numberOf(text: string): number {
  const typed = text.trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(typed) ? Number(typed) : Number.NaN;
}

/**
 * What a member typed as an amount of money, refused in the order and with the words of the contract's `moneyAmount`,
 * whose schema never reaches a browser. Grouping commas are refused rather than guessed at: "1,500" is 1500 to one
 * reader and 1.5 to another. `readAmount('0.0000001')` is refused with "An amount has at most 6 decimals."
 */
export function readAmount(text: string): ReadAmount {
  const dollars = numberOf(text);
  if (Number.isNaN(dollars)) return refused(t`Enter an amount in numbers.`);
  if (dollars < 0) return refused(t`An amount cannot be negative.`);
  if (dollars > MAX_DOLLARS) return refused(t`The amount is too large.`);
  if (Number(dollars.toFixed(6)) !== dollars || Object.is(dollars, -0)) {
    return refused(t`An amount has at most 6 decimals.`);
  }
  return { ok: true, dollars };
}

const refused = (message: string): ReadAmount => ({ ok: false, message });
