import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { shareOf, toDollars, toMicros } from '#contract/money.ts';

const BASIS_POINTS = 10_000n;
/** Half the spread on each side, hence twice the basis points. */
const SPREAD_PARTS = 2n * BASIS_POINTS;

export type WorkedExample = {
  fee: number;
  position: number;
  openPrice: number;
  closePrice: number;
  proceeds: number;
  performanceFee: number;
  result: number;
};

/**
 * One trade worked through from a fee plan and a spread, so that the page that explains fees cannot drift from the
 * rules (docs/product.md, sections 3 and 6). Whole dollars in, dollars out; each share is rounded down to a micro once,
 * as the ledger does.
 * `workExample({ amount: 250, openMark: 68_000, closeMark: 69_360, spreadBps: 10 }, terms)` under the first plan: fee 1,
 * position 249, proceeds 253.726146, performance fee 0.372614, result 3.353532.
 */
export function workExample(
  trade: { amount: number; openMark: number; closeMark: number; spreadBps: number },
  rates: Pick<FeePlanTerms, 'trade_fee_bps' | 'performance_fee_bps'>,
): WorkedExample {
  const amount = toMicros(trade.amount);
  const spread = BigInt(trade.spreadBps);
  const openParts = toMicros(trade.openMark) * (SPREAD_PARTS + spread);
  const closeParts = toMicros(trade.closeMark) * (SPREAD_PARTS - spread);
  const fee = partOf(amount, rates.trade_fee_bps);
  const position = amount - fee;
  const proceeds = (position * closeParts) / openParts;
  const gain = proceeds > amount ? proceeds - amount : 0n;
  const performanceFee = partOf(gain, rates.performance_fee_bps);
  return {
    fee: toDollars(fee),
    position: toDollars(position),
    openPrice: toDollars(openParts / SPREAD_PARTS),
    closePrice: toDollars(closeParts / SPREAD_PARTS),
    proceeds: toDollars(proceeds),
    performanceFee: toDollars(performanceFee),
    result: toDollars(proceeds - amount - performanceFee),
  };
}

/**
 * Splits a fee into its shares, each rounded down to a micro, and the rest: together exactly the fee (docs/product.md,
 * section 6).
 * `shareOut(0.372614, [1500, 1000, 500])`: shares 0.055892, 0.037261 and 0.01863, rest 0.260831.
 */
export function shareOut(fee: number, bps: readonly number[]): { shares: number[]; rest: number; restBps: number } {
  const whole = toMicros(fee);
  const shares = bps.map((part) => partOf(whole, part));
  return {
    shares: shares.map(toDollars),
    rest: toDollars(whole - shares.reduce((sum, share) => sum + share, 0n)),
    restBps: Number(BASIS_POINTS) - bps.reduce((sum, part) => sum + part, 0),
  };
}

/**
 * The fee and net amount of a withdrawal (docs/product.md, section 5): the share rounded down to a micro, with the
 * plan's minimum. `workWithdrawal(300, terms)` under the first plan: fee 3, net 297; for 50 the minimum applies: fee 1,
 * net 49.
 */
export function workWithdrawal(
  amount: number,
  {
    withdrawal_fee_bps: bps,
    withdrawal_fee_min: least,
  }: Pick<FeePlanTerms, 'withdrawal_fee_bps' | 'withdrawal_fee_min'>,
): { fee: number; arrives: number } {
  const fee = Math.max(dollarsOf(amount, bps), least);
  return { fee, arrives: toDollars(toMicros(amount) - toMicros(fee)) };
}

/** The share of an amount, `dollarsOf(5_000, 6_000) === 3_000`. */
export const dollarsOf = (dollars: number, bps: number): number => toDollars(partOf(toMicros(dollars), bps));

const partOf = (micros: bigint, bps: number) => shareOf(micros, BigInt(bps), BASIS_POINTS);
