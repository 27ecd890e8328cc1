import { refusals } from '#contract/refusals.ts';
import { depositLimitsDollars } from '#contract/rules.ts';
import { type ReadAmount, readAmount } from '../../../ui/forms/read-amount.ts';

/**
 * What a member typed as the amount of a deposit: first whether it is an amount at all, then whether it is in the
 * limits (docs/product.md, section 4). `checkAmount('9.99')` is refused with "A deposit is from 10$ to 50000$."
 */
export function checkAmount(text: string): ReadAmount {
  const amount = readAmount(text);
  const { min, max } = depositLimitsDollars;
  if (amount.ok && (amount.dollars < min || amount.dollars > max)) {
    return { ok: false, message: refusals.deposit_out_of_limits[1] };
  }
  return amount;
}
