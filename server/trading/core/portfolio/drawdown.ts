/** A member's net worth and net deposits at a market time, in micros. */
export type ResultPoint = { readonly at: Date; readonly value: bigint; readonly netDeposits: bigint };

/** `amount` in micros; `percent` with 6 decimals, truncated. */
export type Drawdown = {
  readonly now: { readonly amount: bigint; readonly percent: number };
  readonly deepestAmount: { readonly amount: bigint; readonly at: Date | null };
  readonly deepestPercent: { readonly percent: number; readonly at: Date | null };
  /** How far the result at each point is below the highest so far. */
  readonly amounts: readonly bigint[];
};

/** The return index has 18 decimals; percentages are shown with 6. */
const ONE = 10n ** 18n;
const PERCENT_DECIMALS = 6;

/**
 * Drawdown of results from their previous high (docs/trading.md, "Drawdown"). Deposits and withdrawals are
 * excluded:
 *
 * - in dollars it is the highest *result* so far (value less net deposits; 0 before the first point) less the result now;
 * - in percent it is measured on a return index: each step multiplies it by (value + withdrawn) ÷ (previous value +
 *   deposited). Deposits count from the start of the step, withdrawals until its end. A step that starts with nothing
 *   leaves the index unchanged.
 *
 * Deposit 1 000, grow to 1 100, deposit another 1 000, fall to 1 890: the result went 0, 100, −110, so the drawdown is
 * 210 dollars; the index went 1, 1.1, 1.1 × 1 890 ÷ 2 100 = 0.99, so it is 10 %.
 *
 * @param points in time order
 */
export function measureDrawdown(points: readonly ResultPoint[]): Drawdown {
  let highestResult = 0n;
  let index = ONE;
  let highestIndex = ONE;
  let before: ResultPoint | undefined;
  let deepestAmount: Drawdown['deepestAmount'] = { amount: 0n, at: null };
  let deepestPercent: Drawdown['deepestPercent'] = { percent: 0, at: null };
  const amounts: bigint[] = [];
  let percent = 0;
  for (const point of points) {
    const result = point.value - point.netDeposits;
    highestResult = larger(highestResult, result);
    const amount = highestResult - result;
    amounts.push(amount);
    if (amount > deepestAmount.amount) deepestAmount = { amount, at: point.at };

    index = grow(index, before, point);
    highestIndex = larger(highestIndex, index);
    percent = percentBelow(index, highestIndex);
    if (percent > deepestPercent.percent) deepestPercent = { percent, at: point.at };
    before = point;
  }
  return { now: { amount: amounts.at(-1) ?? 0n, percent }, deepestAmount, deepestPercent, amounts };
}

function grow(index: bigint, before: ResultPoint | undefined, point: ResultPoint): bigint {
  const moved = point.netDeposits - (before?.netDeposits ?? 0n);
  const begins = (before?.value ?? 0n) + larger(moved, 0n);
  const ends = point.value + larger(-moved, 0n);
  return begins > 0n ? (index * ends) / begins : index;
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

function percentBelow(index: bigint, highest: bigint): number {
  const scale = 10n ** BigInt(PERCENT_DECIMALS);
  return Number(((highest - index) * 100n * scale) / highest) / Number(scale);
}
