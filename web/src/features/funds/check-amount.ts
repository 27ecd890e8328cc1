import { refusals } from '#contract/refusals.ts';
import { depositLimitsDollars } from '#contract/rules.ts';

export type CheckedAmount = { ok: true; dollars: number } | { ok: false; message: string };

/** Above this the contract takes no amount at all, so the limits of a deposit are not what to name. */
const MAX_DOLLARS = 9_000_000_000;

/**
 * What a member typed as the amount of a deposit, refused in the order and with the words of the server: first
 * whether it is an amount at all (`moneyAmount` of the contract, whose schema never reaches a browser), then whether
 * it is in the limits (product.md section 4). Grouping commas are refused rather than guessed at: "1,500" is 1500 to
 * one reader and 1.5 to another. `checkAmount('9.99')` is refused with "A deposit is from 10$ to 50000$."
 */
export function checkAmount(text: string): CheckedAmount {
  const typed = text.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(typed)) return refused('Enter an amount in numbers.');
  const dollars = Number(typed);
  const { min, max } = depositLimitsDollars;
  if (dollars < 0) return refused('An amount cannot be negative.');
  if (dollars > MAX_DOLLARS) return refused('The amount is too large.');
  if (Number(dollars.toFixed(6)) !== dollars || Object.is(dollars, -0)) {
    return refused('An amount has at most 6 decimals.');
  }
  if (dollars < min || dollars > max) return refused(refusals.deposit_out_of_limits[1]);
  return { ok: true, dollars };
}

const refused = (message: string): CheckedAmount => ({ ok: false, message });
