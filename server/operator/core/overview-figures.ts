import { incomeReasons } from '#contract/ledger-reasons.ts';

/** The amount moved for a reason; reversals are subtracted from the reason that they reverse. */
type Moved = { readonly reason: string; readonly micros: bigint };

export type DayFlows = Readonly<
  Record<'deposits' | 'withdrawals' | 'tradeFees' | 'performanceFees' | 'withdrawalFees' | 'incomes', bigint>
>;

/**
 * One day's totals: money credited, net amounts paid out, fees charged, incomes paid. A deposit of 100 $, and one of 50
 * $ that was held for review and then credited: 150 $.
 */
export function dayFlowsOf(flows: readonly Moved[]): DayFlows {
  const sumOf = (...reasons: string[]) =>
    flows.reduce((sum, { reason, micros }) => sum + (reasons.includes(reason) ? micros : 0n), 0n);
  return {
    deposits: sumOf('deposit', 'deposit_allocated'),
    withdrawals: sumOf('withdrawal_payout'),
    tradeFees: sumOf('trade_fee'),
    performanceFees: sumOf('performance_fee'),
    withdrawalFees: sumOf('withdrawal_fee'),
    incomes: sumOf(...incomeReasons),
  };
}

const TEN_THOUSANDTHS = 10_000n;

/**
 * Assets divided by liabilities, rounded down to four decimals, so that 99.999 % never reads as 100 %. Assets of 102.55
 * $ against liabilities of 100 $ are 1.0255; null without liabilities.
 */
export function coverageOf(heldMicros: bigint, owedMicros: bigint): number | null {
  if (owedMicros <= 0n) return null;
  return Number((heldMicros * TEN_THOUSANDTHS) / owedMicros) / Number(TEN_THOUSANDTHS);
}
