import { incomeReasons } from '#contract/ledger-reasons.ts';

/** How much moved for a reason; a reversal is taken off what it reverses. */
type Moved = { readonly reason: string; readonly micros: bigint };

export type DayFlows = Readonly<
  Record<'deposits' | 'withdrawals' | 'tradeFees' | 'performanceFees' | 'withdrawalFees' | 'incomes', bigint>
>;

/**
 * What a day came to: money that was credited, net amounts that were paid out, fees that were taken, incomes that were paid.
 * A deposit of 100 $, and one of 50 $ that was held for review and then credited: 150 $.
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
 * What is held divided by what is owed, to four decimals, rounded down, so that 99.999 % never reads as 100 %. 102.55 $ held
 * of 100 $ owed is 1.0255; nothing owed is null.
 */
export function coverageOf(heldMicros: bigint, owedMicros: bigint): number | null {
  if (owedMicros <= 0n) return null;
  return Number((heldMicros * TEN_THOUSANDTHS) / owedMicros) / Number(TEN_THOUSANDTHS);
}
