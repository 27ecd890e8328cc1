/** What a backtest comes to, from its sessions and trades. Money in micros; percents as plain numbers of 4 decimals. */
export type SessionFigure = { readonly day: string; readonly result: bigint };

/** `percentOf(25n, 1000n) === 2.5`; shares have 4 decimals. */
export function percentOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : rounded((Number(part) / Number(whole)) * 100, 4);
}

/**
 * The largest fall from an earlier high, in money and in percent of that high, each taken for itself.
 *
 * 100, 120, 90, 200, 160: the largest in money is 40 (from 200), in percent 25 (from 120 to 90).
 */
export function findDrawdown(values: readonly bigint[]): { amount: bigint; percent: number } {
  let high = values[0] ?? 0n;
  let amount = 0n;
  let percent = 0;
  for (const value of values) {
    if (value > high) high = value;
    if (high - value > amount) amount = high - value;
    percent = Math.max(percent, percentOf(high - value, high));
  }
  return { amount, percent };
}

/**
 * What each session returned on what there was before it. A session that begins with nothing returns nothing.
 *
 * 100, 110, 99: 0.1 and −0.1.
 */
export function listReturns(values: readonly bigint[]): number[] {
  return values.slice(1).map((value, index) => {
    const before = values[index] as bigint;
    return before === 0n ? 0 : Number(value - before) / Number(before);
  });
}

/**
 * Sharpe ratio per session, not annualised and without a riskless rate: the mean of the returns by their standard
 * deviation (of a sample). null with fewer than two sessions, or when they did not vary.
 *
 * 0.1, −0.1, 0.3: mean 0.1, deviation 0.2, ratio 0.5.
 */
export function sharpeRatio(returns: readonly number[]): number | null {
  if (returns.length < 2) return null;
  const average = mean(returns);
  const squares = returns.reduce((sum, value) => sum + (value - average) ** 2, 0);
  return ratio(average, Math.sqrt(squares / (returns.length - 1)));
}

/**
 * Sortino ratio per session, not annualised: the mean of the returns by the downside deviation, the root of the mean
 * square of the negative ones over all sessions. null with fewer than two sessions, or when none was negative.
 *
 * 0.1, −0.1, 0.3: mean 0.1, downside √(0.01 ÷ 3) = 0.057735, ratio 1.732051.
 */
export function sortinoRatio(returns: readonly number[]): number | null {
  if (returns.length < 2) return null;
  const squares = returns.reduce((sum, value) => sum + Math.min(value, 0) ** 2, 0);
  return ratio(mean(returns), Math.sqrt(squares / returns.length));
}

/** The first of the largest, and the first of the smallest. */
export function findExtremes(sessions: readonly SessionFigure[]): {
  best: SessionFigure | null;
  worst: SessionFigure | null;
} {
  let best: SessionFigure | null = null;
  let worst: SessionFigure | null = null;
  for (const session of sessions) {
    if (best === null || session.result > best.result) best = session;
    if (worst === null || session.result < worst.result) worst = session;
  }
  return { best, worst };
}

/** Deviations of returns that are equal but for errors in the 16th digit are none. */
const NO_DEVIATION = 1e-12;
const ratio = (average: number, deviation: number): number | null =>
  deviation < NO_DEVIATION ? null : rounded(average / deviation, 6);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Never −0. */
const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals)) + 0;
