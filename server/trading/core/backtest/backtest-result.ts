import { strict as assert } from 'node:assert';
import { toDollars } from '#contract/money.ts';
import { sessionWindowUtc } from '#contract/rules.ts';
import {
  type BacktestResult,
  type BacktestStats,
  type BacktestTrade,
  backtestLimits,
} from '#contract/trading/backtest.ts';
import { type ReasonCode, reasonCodes } from '#contract/trading/strategy.ts';
import type { AssetSession } from './backtest.ts';
import type { AssetOrder, SimulatedTrade, Waits } from './backtest-session.ts';

/** The run of one asset. */
export type SimulatedAsset = { readonly order: AssetOrder; readonly sessions: readonly AssetSession[] };

/** One session across all assets. */
type Day = {
  readonly day: string;
  readonly closesAtMs: number;
  readonly value: bigint;
  readonly hold: bigint;
  readonly result: bigint;
  readonly trades: number;
};

/**
 * The reply to a backtest: the sessions of all assets added up, and the figures of docs/trading.md. Days without a
 * price in any asset are not sessions.
 *
 * @param assets with identical sessions; at least one of them has a price
 */
export function showBacktest(assets: readonly SimulatedAsset[], marketLabel: string | null): BacktestResult {
  const [first] = assets;
  assert(first, 'a backtest has an asset');
  const { setting, rates } = first.order;
  const invested = sumOf(assets, ({ order }) => order.amount);
  const days = listDays(assets, invested);
  const [firstDay, lastDay] = [days[0], days.at(-1)];
  assert(firstDay && lastDay, 'a backtest has a session with a price');
  const trades = assets.flatMap(({ sessions }) => sessions.flatMap((session) => session.trades));
  const newestFirst = trades.toSorted((a, b) => b.openedAtMs - a.openedAtMs);
  return {
    market_label: marketLabel,
    strategy: setting.strategy,
    params: setting.params,
    from: firstDay.day,
    to: lastDay.day,
    trade_fee_percent: rates.tradeBps / 100,
    performance_fee_percent: rates.performanceBps / 100,
    equity: days.map(({ closesAtMs, value }) => ({ time: timeOf(closesAtMs), value: toDollars(value) })),
    hold: days.map(({ closesAtMs, hold }) => ({ time: timeOf(closesAtMs), value: toDollars(hold) })),
    sessions: days.map(({ day, result, trades: count }) => ({ day, result: toDollars(result), trades: count })),
    trades: newestFirst.slice(0, backtestLimits.trades).map(showTrade),
    trades_total: trades.length,
    assets: assets.map(showAsset),
    stats: showStats(assets, days, trades, invested),
  };
}

function listDays(assets: readonly SimulatedAsset[], invested: bigint): Day[] {
  const days: Day[] = [];
  let before = invested;
  for (const index of (assets[0]?.sessions ?? []).keys()) {
    const sessions = assets.map((asset) => asset.sessions[index] as AssetSession);
    const { day, closesAtMs } = sessions[0] as AssetSession;
    const value = sumOf(sessions, (session) => session.value);
    if (sessions.some((session) => session.hasPrice))
      days.push({
        day,
        closesAtMs,
        value,
        hold: sumOf(sessions, (session) => session.hold),
        result: value - before,
        trades: sessions.reduce((count, session) => count + session.trades.length, 0),
      });
    before = value;
  }
  return days;
}

const MINUTE_MS = 60_000;
const SESSION_MS = BigInt((sessionWindowUtc.closeMinute - sessionWindowUtc.openMinute) * MINUTE_MS);

function showStats(
  assets: readonly SimulatedAsset[],
  days: readonly Day[],
  trades: readonly SimulatedTrade[],
  invested: bigint,
): BacktestStats {
  const last = days.at(-1);
  const result = (last?.value ?? invested) - invested;
  const holdResult = (last?.hold ?? invested) - invested;
  const values = [invested, ...days.map(({ value }) => value)];
  const drawdown = findDrawdown(values);
  const returns = listReturns(values);
  const { best, worst } = findExtremes(days);
  const tradeFees = sumOf(trades, ({ fee }) => fee);
  const performanceFees = sumOf(trades, ({ performanceFee }) => performanceFee);
  const winning = trades.filter((trade) => trade.result > 0n).length;
  const openMs = trades.reduce((sum, trade) => sum + (trade.closedAtMs - trade.openedAtMs), 0);
  return {
    put_in: toDollars(invested),
    result: toDollars(result),
    result_percent: percentOf(result, invested),
    hold_result: toDollars(holdResult),
    hold_percent: percentOf(holdResult, invested),
    max_drawdown: toDollars(drawdown.amount),
    max_drawdown_percent: drawdown.percent,
    trades: trades.length,
    winning,
    losing: trades.filter((trade) => trade.result < 0n).length,
    win_rate: trades.length === 0 ? null : percentOf(BigInt(winning), BigInt(trades.length)),
    sessions: days.length,
    winning_sessions: days.filter((day) => day.result > 0n).length,
    losing_sessions: days.filter((day) => day.result < 0n).length,
    best_session: best && { day: best.day, result: toDollars(best.result) },
    worst_session: worst && { day: worst.day, result: toDollars(worst.result) },
    sharpe_per_session: sharpeRatio(returns),
    sortino_per_session: sortinoRatio(returns),
    trade_fees: toDollars(tradeFees),
    performance_fees: toDollars(performanceFees),
    fees_paid: toDollars(tradeFees + performanceFees),
    exposure_minutes: openMs / MINUTE_MS,
    exposure_percent: percentOf(BigInt(openMs), BigInt(days.length * assets.length) * SESSION_MS),
    waits: listWaits(assets),
  };
}

function listWaits(assets: readonly SimulatedAsset[]): BacktestStats['waits'] {
  const byReason = new Map<ReasonCode, Waits & { readonly symbol: string }>();
  for (const { order, sessions } of assets)
    for (const { waits } of sessions)
      for (const [code, next] of waits) {
        const known = byReason.get(code);
        const count = (known?.count ?? 0) + next.count;
        const last = known === undefined || next.atMs >= known.atMs ? { ...next, symbol: order.symbol } : known;
        byReason.set(code, { ...last, count });
      }
  return [...byReason]
    .toSorted(([a, left], [b, right]) => right.count - left.count || reasonCodes.indexOf(a) - reasonCodes.indexOf(b))
    .map(([code, { count, symbol, atMs, facts }]) => ({ code, count, last: { symbol, time: timeOf(atMs), facts } }));
}

function showAsset({ order, sessions }: SimulatedAsset): BacktestResult['assets'][number] {
  const last = sessions.at(-1);
  const trades = sessions.flatMap((session) => session.trades);
  return {
    symbol: order.symbol,
    spread_percent: order.spreadBps / 100,
    put_in: toDollars(order.amount),
    result: toDollars((last?.value ?? order.amount) - order.amount),
    hold_result: toDollars((last?.hold ?? order.amount) - order.amount),
    trades: trades.length,
    fees_paid: toDollars(sumOf(trades, ({ fee, performanceFee }) => fee + performanceFee)),
    sessions_without_price: sessions.filter((session) => !session.hasPrice).length,
  };
}

const showTrade = (trade: SimulatedTrade): BacktestTrade => ({
  symbol: trade.symbol,
  day: trade.day,
  opened_at: timeOf(trade.openedAtMs),
  open_price: Number(trade.openPrice),
  entry: trade.entry,
  closed_at: timeOf(trade.closedAtMs),
  close_price: Number(trade.closePrice),
  exit: trade.exit,
  amount: toDollars(trade.amount),
  fee: toDollars(trade.fee),
  gross: toDollars(trade.gross),
  performance_fee: toDollars(trade.performanceFee),
  result: toDollars(trade.result),
});

const timeOf = (atMs: number): string => new Date(atMs).toISOString();

const sumOf = <T>(items: readonly T[], pick: (item: T) => bigint): bigint =>
  items.reduce((sum, item) => sum + pick(item), 0n);

/** Figures of a backtest, from its sessions and trades. Money in micros; percentages with 4 decimals. */
export type SessionFigure = { readonly day: string; readonly result: bigint };

/** `percentOf(25n, 1000n) === 2.5`; shares have 4 decimals. */
export function percentOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : rounded((Number(part) / Number(whole)) * 100, 4);
}

/**
 * The largest fall from an earlier high, in money and in percent of that high, each determined independently.
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
 * The return of each session on the value before it. A session that starts with nothing returns 0.
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
 * Sharpe ratio per session, not annualised and without a risk-free rate: mean return divided by the sample standard
 * deviation. Null with fewer than two sessions, or when returns did not vary.
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
 * Sortino ratio per session, not annualised: mean return divided by the downside deviation, the root of the mean square
 * of negative returns over all sessions. Null with fewer than two sessions, or when none was negative.
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

/** A smaller deviation is only floating-point noise. */
const NO_DEVIATION = 1e-12;
const ratio = (average: number, deviation: number): number | null =>
  deviation < NO_DEVIATION ? null : rounded(average / deviation, 6);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Never −0. */
const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals)) + 0;
