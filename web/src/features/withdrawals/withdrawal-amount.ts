import type { WithdrawalTerms } from '#contract/funds/withdrawals.ts';
import { refusals } from '#contract/refusals.ts';
import { translate } from '../../api/texts.ts';
import { type ReadAmount, readAmount } from '../../ui/forms/read-amount.ts';

const MICROS_PER_DOLLAR = 1_000_000;
const ALL_BPS = 10_000n;

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
  if (limits && dollars < limits.minimum) return refused(translate(refusals.withdrawal_out_of_limits[1]));
  if (limits && dollars > limits.day_left) return refused(translate(refusals.withdrawal_day_limit[1]));
  if (balance !== undefined && dollars > balance) return refused(translate(refusals.insufficient_funds[1]));
  return amount;
}

const refused = (message: string): ReadAmount => ({ ok: false, message });

type Fees = Pick<WithdrawalTerms, 'fee_bps' | 'fee_minimum'>;

/**
 * What a withdrawal costs and what arrives, in dollars, worked out as the server does it: the share rounded down to
 * the micro, and never less than the minimum (docs/product.md, section 5). Null for both when the fee would leave
 * nothing. Of 500 at 100 basis points and at least 1: fee 5, net 495. Of 12.5: fee 1, net 11.5.
 */
export function quoteWithdrawal(dollars: number, fees: Fees): { fee: number | null; net: number | null } {
  const amountMicros = toMicros(dollars);
  const shareMicros = (amountMicros * BigInt(fees.fee_bps)) / ALL_BPS;
  const leastMicros = toMicros(fees.fee_minimum);
  const feeMicros = shareMicros > leastMicros ? shareMicros : leastMicros;
  if (feeMicros >= amountMicros) return { fee: null, net: null };
  return { fee: toDollars(feeMicros), net: toDollars(amountMicros - feeMicros) };
}

const toMicros = (dollars: number) => BigInt(Math.round(dollars * MICROS_PER_DOLLAR));
const toDollars = (micros: bigint) => Number(micros) / MICROS_PER_DOLLAR;
