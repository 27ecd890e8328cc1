import { defaultSpreadBps, feeDefaults } from '#contract/rules.ts';

const MICROS_PER_DOLLAR = 1_000_000n;
const BASIS_POINTS = 10_000n;
/** Half the spread on each side: twice as many parts as basis points. */
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
 * One trade worked through from the fee plan and the spread in force, so that the page that explains fees cannot
 * drift from the rules (product.md sections 3 and 6). Whole dollars in, dollars out; each share is rounded down to a
 * micro once, as the ledger does.
 * `workExample({ amount: 250, openMark: 68_000, closeMark: 69_360 })`: fee 1, position 249, proceeds 253.726146,
 * performance fee 0.372614, result 3.353532.
 */
export function workExample(trade: { amount: number; openMark: number; closeMark: number }): WorkedExample {
  const amount = toMicros(trade.amount);
  const spread = BigInt(defaultSpreadBps);
  const openParts = toMicros(trade.openMark) * (SPREAD_PARTS + spread);
  const closeParts = toMicros(trade.closeMark) * (SPREAD_PARTS - spread);
  const fee = (amount * BigInt(feeDefaults.tradeBps)) / BASIS_POINTS;
  const position = amount - fee;
  const proceeds = (position * closeParts) / openParts;
  const gain = proceeds > amount ? proceeds - amount : 0n;
  const performanceFee = (gain * BigInt(feeDefaults.performanceBps)) / BASIS_POINTS;
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

const toMicros = (wholeDollars: number) => BigInt(wholeDollars) * MICROS_PER_DOLLAR;
const toDollars = (micros: bigint) => Number(micros) / Number(MICROS_PER_DOLLAR);
