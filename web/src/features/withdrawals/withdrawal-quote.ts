import type { WithdrawalTerms } from '#contract/funds/withdrawals.ts';

const MICROS_PER_DOLLAR = 1_000_000;
const ALL_BPS = 10_000n;

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
