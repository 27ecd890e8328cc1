import { symbols } from '#contract/rules.ts';

/** Parameters that make a coin's simulated price resemble the real one. */
export type Calibration = {
  readonly symbol: string;
  /** Close of the last measured candle: the level the price reverts to. */
  readonly startPrice: number;
  /** Decimals of the exchange's price quotes. */
  readonly decimals: number;
  /**
   * Standard deviation of one-minute logarithmic returns, in units of 0.0001, excluding jumps. Bitcoin: 4.39, as 31.8 %
   * a year (√525 600 minutes).
   */
  readonly sigmaBps: number;
  /** Correlation of the returns with the market factor. */
  readonly correlation: number;
  /** Idiosyncratic jumps per day. */
  readonly jumpsPerDay: number;
  /** Median turnover of one minute in dollars. */
  readonly volumePerMinute: number;
};

/**
 * Measured on 15-minute candles of Binance USD-M perpetuals, 2025-07-24 to 2025-10-21 (90 full days, 8 640 candles per
 * coin). Sigma is the deviation of 15-minute logarithmic returns, excluding those over six deviations, divided by √15.
 * The factor is the mean of all 16 returns in units of their deviation. A jump is a move over six deviations of what
 * the factor does not explain, excluding the market crash of 2025-10-10 to 12.
 */
const MEASURED: Readonly<Record<string, readonly [number, number, number, number, number, number]>> = {
  //     start price, decimals, sigma, correlation, jumps a day, volume a minute
  btc: [108_253.7, 1, 4.39, 0.794, 0.07, 6_597_635],
  eth: [3871.11, 2, 8.1, 0.87, 0.11, 9_913_724],
  doge: [0.19418, 5, 11.21, 0.874, 0.36, 961_207],
  eos: [0.2825, 5, 9.05, 0.832, 0.35, 3922],
  ltc: [92.42, 2, 9.17, 0.78, 0.18, 156_096],
  bch: [480.5, 2, 7.76, 0.698, 0.41, 79_605],
  xrp: [2.4212, 4, 8.4, 0.833, 0.16, 982_245],
  etc: [15.69, 3, 9.13, 0.875, 0.3, 57_809],
  ada: [0.6423, 4, 10.54, 0.87, 0.33, 285_953],
  fil: [1.56, 3, 9.67, 0.867, 0.13, 66_386],
  trx: [0.32149, 5, 4.03, 0.637, 0.19, 67_661],
  uni: [6.25, 3, 10.88, 0.864, 0.2, 95_862],
  link: [17.597, 3, 11.46, 0.83, 0.2, 294_875],
  sol: [185.54, 3, 9.89, 0.844, 0.13, 2_820_770],
  aave: [218.63, 2, 10.16, 0.833, 0.18, 114_256],
  bsv: [21, 2, 9.12, 0.753, 0.5, 1618],
};

/** One entry for each of the 16 coins, in the specification's order. */
export const calibrations: readonly Calibration[] = symbols.map((symbol) => {
  const row = MEASURED[symbol];
  if (row === undefined) throw new Error(`${symbol} is not calibrated`);
  const [startPrice, decimals, sigmaBps, correlation, jumpsPerDay, volumePerMinute] = row;
  return { symbol, startPrice, decimals, sigmaBps, correlation, jumpsPerDay, volumePerMinute };
});

/** Deviation of the factor's returns by hour of the UTC day, relative to the whole day (same measurement). */
export const hourlySigma: readonly number[] = [
  1.07, 0.98, 0.99, 0.94, 0.82, 0.92, 0.96, 0.92, 0.92, 0.81, 0.83, 0.91, 1.09, 1.18, 1.44, 1.19, 1.09, 1.05, 0.84,
  1.07, 0.94, 0.98, 0.98, 0.84,
];

/** Turnover by hour of the UTC day, relative to the whole day. */
export const hourlyVolume: readonly number[] = [
  1.11, 0.92, 0.9, 0.86, 0.83, 0.8, 0.99, 0.92, 1.02, 0.92, 0.91, 0.85, 1.18, 1.44, 1.7, 1.39, 1.26, 1.01, 0.84, 0.92,
  0.86, 0.86, 0.81, 0.7,
];

/**
 * Volatility clustering: the logarithm of a day's deviation has deviation 0.32 and correlation 0.5 with the day before.
 * One-minute returns, adjusted for day and hour, have kurtosis 6.5; every tenth minute at twice the deviation gives 6.
 * The logarithm of a minute's turnover has deviation 1.0, including the part that returns explain.
 */
export const dailySigmaSpread = 0.32;
export const dailySigmaMemory = 0.5;
export const busyMinutes = { share: 0.1, scale: 2 } as const;
export const volumeSpread = 0.7;

/**
 * Jumps of the whole market: 9 separate ones in 90 days. Sizes, for market and coins, in units of the 15-minute
 * deviation: at least 6, median near 8, occasionally 20 to 40, as in a Pareto tail of exponent 2.5. Capped at 40, which
 * for no coin exceeds a fifth of its price.
 */
export const marketJumpsPerDay = 0.1;
export const jumpSize = { least: 6, tail: 2.5, most: 40, unitMinutes: 15 } as const;

/**
 * Chosen, not measured: half the distance from the start price is gone after 90 days, so that a market that runs for
 * simulated decades stays near it. Over one session the pull is under 0.06 %, less than the spread, so nobody can
 * exploit it.
 */
export const reversionHalfLifeDays = 90;
