import type { WithdrawalTerms } from '#contract/funds/withdrawals.ts';
import { refusals } from '#contract/refusals.ts';
import { type ReadAmount, readAmount } from '../../ui/forms/read-amount.ts';

type Limits = Pick<WithdrawalTerms, 'minimum' | 'day_left'>;

/**
 * What a member typed as the amount of a withdrawal: whether it is an amount, then the refusals of the server in its
 * order (docs/product.md, section 5). What is not known yet is left to the server. `checkWithdrawal('9.99', …)` is
 * refused with "A withdrawal is at least 10$."
 *
 * @param balance dollars in the chosen wallet
 */
export function checkWithdrawal(text: string, limits: Limits | undefined, balance: number | undefined): ReadAmount {
  const amount = readAmount(text);
  if (!amount.ok) return amount;
  const { dollars } = amount;
  if (limits && dollars < limits.minimum) return refused(refusals.withdrawal_out_of_limits[1]);
  if (limits && dollars > limits.day_left) return refused(refusals.withdrawal_day_limit[1]);
  if (balance !== undefined && dollars > balance) return refused(refusals.insufficient_funds[1]);
  return amount;
}

const refused = (message: string): ReadAmount => ({ ok: false, message });
