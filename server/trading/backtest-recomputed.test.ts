import { describe, expect, inject, test } from 'vitest';
import { type BacktestOrderInput, backtestOrder } from '#contract/backtest.ts';
import { readConfig } from '#server/config.ts';
import { type MadeCandle, makeCandles } from '#test/made-candles.ts';
import { openQuarters, readRows } from '#test/recordings.ts';
import { openRecordedMarket } from './backtest-markets.ts';
import { playBacktest } from './play-backtest.ts';

/**
 * Whole backtests, calculated a second time from docs/strategies.md with whole numbers alone: prices in units of 10⁻¹²
 * dollar, money in micros. Nothing below calls the code under test but `playBacktest`.
 */
const UNITS = 1_000_000_000_000n;
const units = (price: number) => BigInt(Math.round(price * 1e8)) * 10_000n;
const STEP = 900_000;
const micros = (dollars: number) => BigInt(Math.round(dollars * 1e6));
const dollars = (amount: bigint) => Number(amount) / 1e6;

type Terms = {
  strategy: 'session_hold' | 'momentum' | 'mean_reversion';
  period: number;
  multiple: number;
  compounding: boolean;
  stopLoss?: number;
  takeProfit?: number;
  trailing?: number;
};
type Tick = { at: number; mark: bigint };
type Trade = {
  at: number;
  until: number;
  why: string;
  amount: bigint;
  fee: bigint;
  performance: bigint;
  result: bigint;
};

function recompute(candles: readonly MadeCandle[], from: string, to: string, amount: bigint, terms: Terms) {
  const byTime = new Map(candles.map((candle) => [candle.atMs, candle]));
  const trades: Trade[] = [];
  const waits: Record<string, number> = {};
  const equity: bigint[] = [];
  const hold: bigint[] = [];
  let principal = amount;
  let gains = 0n;
  let held: { price: bigint; net: bigint } | undefined;
  for (let day = Date.parse(from); day <= Date.parse(to); day += 86_400_000) {
    const opens = day + 12.5 * 3_600_000;
    const closes = day + 17.5 * 3_600_000;
    const ticks = sessionTicks(byTime, opens, closes);
    const lastMark = lastTick(candles, closes).mark;
    const soldAt = (mark: bigint) => half(mark * 19_990n, 20_000n);
    const boughtAt = (mark: bigint) => half(mark * 20_010n, 20_000n);
    if (held === undefined && ticks[0])
      held = { price: boughtAt(ticks[0].mark), net: amount - (amount * 40n) / 10_000n };
    let stopped = false;
    for (let boundary = opens; boundary < closes; ) {
      const no = stopped
        ? 'stopped_today'
        : principal < 5_000_000n
          ? 'under_minimum'
          : whyNot(byTime, boundary, opens, closes, terms);
      if (no !== undefined) {
        waits[no] = (waits[no] ?? 0) + 1;
        boundary += STEP;
        continue;
      }
      const entry = ticks.findIndex((tick) => tick.at >= boundary);
      const bought = ticks[entry];
      if (bought === undefined) break;
      const price = boughtAt(bought.mark);
      const sale = findSale(byTime, ticks, entry, price, closes, terms) ?? {
        at: closes,
        mark: lastMark,
        why: 'session_close',
      };
      const fee = (principal * 40n) / 10_000n;
      const proceeds = ((principal - fee) * soldAt(sale.mark)) / price;
      const over = proceeds > principal ? proceeds - principal : 0n;
      const performance = over / 10n;
      const result = proceeds - principal - performance;
      trades.push({ at: bought.at, until: sale.at, why: sale.why, amount: principal, fee, performance, result });
      if (terms.compounding || result < 0n) principal += result;
      else gains += result;
      stopped = ['stop_loss', 'take_profit', 'trailing_stop'].includes(sale.why);
      boundary = opens + (Math.floor((sale.at - opens) / STEP) + 1) * STEP;
    }
    equity.push(principal + gains);
    hold.push(held === undefined ? amount : (held.net * soldAt(lastMark)) / held.price);
  }
  return { trades, waits, equity, hold };
}

const half = (numerator: bigint, denominator: bigint) => (numerator + denominator / 2n) / denominator;

function path(candle: MadeCandle): Tick[] {
  const { open, high, low, close } = candle;
  const order = close < open ? [open, high, low, close] : [open, low, high, close];
  return order.map((price, index) => ({ at: candle.atMs + (index * STEP) / 4, mark: units(price) }));
}

function sessionTicks(byTime: Map<number, MadeCandle>, opens: number, closes: number): Tick[] {
  const ticks: Tick[] = [];
  for (let at = opens; at < closes; at += STEP)
    ticks.push(...(byTime.has(at) ? path(byTime.get(at) as MadeCandle) : []));
  return ticks;
}

const lastTick = (candles: readonly MadeCandle[], closes: number): Tick =>
  path(candles.findLast((candle) => candle.atMs < closes) as MadeCandle)[3] as Tick;

/** The last `count` candles closed at a boundary, newest first; undefined with a gap. */
function look(byTime: Map<number, MadeCandle>, boundary: number, count: number): MadeCandle[] | undefined {
  const seen: MadeCandle[] = [];
  for (let back = 1; back <= count; back += 1) {
    const candle = byTime.get(boundary - back * STEP);
    if (candle === undefined) return undefined;
    seen.push(candle);
  }
  return seen;
}

/** Why nothing is bought at a boundary, or undefined. Averages are compared as sums, so that nothing is divided. */
function whyNot(byTime: Map<number, MadeCandle>, boundary: number, opens: number, closes: number, terms: Terms) {
  if (boundary === closes - STEP) return 'too_late';
  if (terms.strategy === 'session_hold') return boundary === opens ? undefined : 'after_opening';
  const isMomentum = terms.strategy === 'momentum';
  const seen = look(byTime, boundary, terms.period + (isMomentum ? 0 : 1));
  if (seen === undefined) return 'no_prices';
  const { last, sum } = sums(seen, terms.period);
  if (isMomentum) return last > sum ? undefined : 'not_above_average';
  let ranges = 0n;
  for (let index = 0; index < terms.period; index += 1) {
    const { high, low } = seen[index] as MadeCandle;
    const before = (seen[index + 1] as MadeCandle).close;
    ranges += units(Math.max(high, before)) - units(Math.min(low, before));
  }
  return 2n * last <= 2n * sum - BigInt(2 * terms.multiple) * ranges && last < sum ? undefined : 'no_dip';
}

function sums(seen: MadeCandle[], period: number) {
  const closes = seen.slice(0, period).map((candle) => units(candle.close));
  return { last: (closes[0] as bigint) * BigInt(period), sum: closes.reduce((a, b) => a + b, 0n) };
}

/** The first of: a stop crossed (filled at the tick after), the strategy selling (filled at the tick at or after). */
function findSale(
  byTime: Map<number, MadeCandle>,
  ticks: Tick[],
  entry: number,
  price: bigint,
  closes: number,
  terms: Terms,
) {
  const asked = [findCrossing(ticks, entry, price, terms), findExit(byTime, ticks[entry] as Tick, closes, terms)]
    .filter((request) => request !== undefined)
    .sort((a, b) => a.order - b.order)[0];
  if (asked === undefined) return undefined;
  const tick = ticks.find(({ at }) => (asked.why === 'strategy' ? at >= asked.at : at > asked.at));
  return tick && { ...tick, why: asked.why };
}

function findCrossing(ticks: Tick[], entry: number, price: bigint, terms: Terms) {
  const tenths = (percent: number) => BigInt(Math.round(percent * 10));
  const low = terms.stopLoss === undefined ? -1n : half(price * (1000n - tenths(terms.stopLoss)), 1000n);
  const high = terms.takeProfit === undefined ? UNITS * UNITS : half(price * (1000n + tenths(terms.takeProfit)), 1000n);
  for (let index = entry + 1; index < ticks.length; index += 1) {
    const { at, mark } = ticks[index] as Tick;
    const top = ticks.slice(entry, index + 1).reduce((most, tick) => (tick.mark > most ? tick.mark : most), 0n);
    const trails = terms.trailing !== undefined && mark * 1000n <= top * (1000n - tenths(terms.trailing));
    const why = mark <= low ? 'stop_loss' : mark >= high ? 'take_profit' : trails ? 'trailing_stop' : undefined;
    // A decision at the very moment comes before the tick, so it goes first.
    if (why !== undefined) return { at, why, order: at + 0.5 };
  }
  return undefined;
}

function findExit(byTime: Map<number, MadeCandle>, bought: Tick, closes: number, terms: Terms) {
  if (terms.strategy === 'session_hold') return undefined;
  for (let boundary = Math.floor(bought.at / STEP) * STEP + STEP; boundary < closes; boundary += STEP) {
    const seen = look(byTime, boundary, terms.period + (terms.strategy === 'momentum' ? 0 : 1));
    if (seen === undefined) continue;
    const { last, sum } = sums(seen, terms.period);
    if (terms.strategy === 'momentum' ? last <= sum : last >= sum)
      return { at: boundary, why: 'strategy', order: boundary };
  }
  return undefined;
}

// ---- what is compared ----

const variants: [string, Terms][] = [
  ['session hold', { strategy: 'session_hold', period: 0, multiple: 0, compounding: false }],
  [
    'session hold, compounding, with stops',
    {
      strategy: 'session_hold',
      period: 0,
      multiple: 0,
      compounding: true,
      stopLoss: 1,
      takeProfit: 1.5,
      trailing: 0.8,
    },
  ],
  ['momentum', { strategy: 'momentum', period: 20, multiple: 0, compounding: false }],
  [
    'momentum of 7, compounding, with a trailing stop',
    { strategy: 'momentum', period: 7, multiple: 0, compounding: true, trailing: 0.5 },
  ],
  ['mean reversion', { strategy: 'mean_reversion', period: 20, multiple: 2, compounding: true }],
  [
    'mean reversion of 10 × 1.5, with a stop-loss',
    { strategy: 'mean_reversion', period: 10, multiple: 1.5, compounding: false, stopLoss: 0.7 },
  ],
];

function orderOf(terms: Terms, assets: string[], from: string, to: string): BacktestOrderInput {
  const knobs = {
    session_hold: {},
    momentum: { period: terms.period },
    mean_reversion: { period: terms.period, atr_multiple: terms.multiple },
  };
  return {
    strategy: terms.strategy,
    params: knobs[terms.strategy],
    symbols: assets,
    from,
    to,
    amount: 1000,
    compounding: terms.compounding,
    stop_loss: terms.stopLoss ?? null,
    take_profit: terms.takeProfit ?? null,
    trailing_stop: terms.trailing ?? null,
  };
}

async function compare(
  lists: Map<string, readonly MadeCandle[]>,
  market: Parameters<typeof playBacktest>[1],
  terms: Terms,
  from: string,
  to: string,
) {
  const answer = await playBacktest(backtestOrder.parse(orderOf(terms, [...lists.keys()], from, to)), market);
  const share = micros(1000) / BigInt(lists.size);
  const each = [...lists].map(([symbol, candles]) => ({ symbol, ...recompute(candles, from, to, share, terms) }));
  const total = (pick: (asset: (typeof each)[number]) => bigint[]) =>
    pick(each[0] as (typeof each)[number]).map((_, index) =>
      each.reduce((sum, asset) => sum + (pick(asset)[index] as bigint), 0n),
    );
  const [equity, hold] = [total((asset) => asset.equity), total((asset) => asset.hold)];
  const trades = each.flatMap(({ symbol, trades: list }) => list.map((trade) => ({ symbol, ...trade })));

  expect(answer.equity.map(({ value }) => value)).toEqual(equity.map(dollars));
  expect(answer.hold.map(({ value }) => value)).toEqual(hold.map(dollars));
  expect(answer.trades_total).toBe(trades.length);
  const shown = answer.trades.map((trade) => ({
    symbol: trade.symbol,
    at: Date.parse(trade.opened_at),
    until: Date.parse(trade.closed_at),
    why: ['fell_to_average', 'back_at_average'].includes(trade.exit.code) ? 'strategy' : trade.exit.code,
    amount: micros(trade.amount),
    fee: micros(trade.fee),
    performance: micros(trade.performance_fee),
    result: micros(trade.result),
  }));
  const byTime = (a: { at: number; symbol: string }, b: { at: number; symbol: string }) =>
    a.at - b.at || a.symbol.localeCompare(b.symbol);
  expect(shown.sort(byTime)).toEqual(trades.sort(byTime).slice(-answer.trades.length));

  const waits: Record<string, number> = {};
  for (const asset of each)
    for (const [code, count] of Object.entries(asset.waits)) waits[code] = (waits[code] ?? 0) + count;
  expect(Object.fromEntries(answer.stats.waits.map(({ code, count }) => [code, count]))).toEqual(waits);
  expectFigures(answer, share * BigInt(lists.size), equity, trades);
  return answer;
}

function expectFigures(
  { stats }: Awaited<ReturnType<typeof playBacktest>>,
  putIn: bigint,
  equity: bigint[],
  trades: Trade[],
) {
  const values = [putIn, ...equity];
  const steps = values.slice(1).map((value, index) => value - (values[index] as bigint));
  const falls = values.flatMap((high, index) =>
    values.slice(index).map((later) => ({ fall: high - later, share: Number(high - later) / Number(high) })),
  );
  const returns = steps.map((step, index) => Number(step) / Number(values[index]));
  const mean = returns.reduce((a, b) => a + b, 0) / returns.length;
  const deviation = Math.sqrt(returns.map((r) => (r - mean) ** 2).reduce((a, b) => a + b, 0) / (returns.length - 1));
  const downside = Math.sqrt(returns.map((r) => (r < 0 ? r * r : 0)).reduce((a, b) => a + b, 0) / returns.length);
  const sum = (pick: (trade: Trade) => bigint) => trades.reduce((all, trade) => all + pick(trade), 0n);
  const most = (list: bigint[]) => list.reduce((a, b) => (b > a ? b : a));
  expect(stats).toMatchObject({
    put_in: dollars(putIn),
    result: dollars((equity.at(-1) as bigint) - putIn),
    max_drawdown: dollars(most(falls.map(({ fall }) => fall))),
    trades: trades.length,
    winning: trades.filter((trade) => trade.result > 0n).length,
    losing: trades.filter((trade) => trade.result < 0n).length,
    sessions: equity.length,
    winning_sessions: steps.filter((step) => step > 0n).length,
    losing_sessions: steps.filter((step) => step < 0n).length,
    best_session: { result: dollars(most(steps)) },
    worst_session: { result: -dollars(most(steps.map((step) => -step))) },
    trade_fees: dollars(sum((trade) => trade.fee)),
    performance_fees: dollars(sum((trade) => trade.performance)),
    fees_paid: dollars(sum((trade) => trade.fee + trade.performance)),
    exposure_minutes: trades.reduce((all, trade) => all + (trade.until - trade.at), 0) / 60_000,
  });
  expect(stats.max_drawdown_percent).toBeCloseTo(Math.max(...falls.map(({ share }) => share)) * 100, 3);
  expect(stats.sharpe_per_session).toBeCloseTo(mean / deviation, 5);
  expect(stats.sortino_per_session).toBeCloseTo(mean / downside, 5);
  expect(stats.win_rate).toBeCloseTo((stats.winning / stats.trades) * 100, 3);
}

describe('made candles', () => {
  /** Every 37th candle is missing in the second coin. */
  const lists = new Map<string, readonly MadeCandle[]>([
    ['btc', makeCandles('2026-01-01T00:00:00Z', 40 * 96, 11)],
    ['eth', makeCandles('2026-01-01T00:00:00Z', 40 * 96, 12).filter((_, index) => index % 37 !== 5)],
    ['sol', makeCandles('2026-01-01T00:00:00Z', 40 * 96, 13)],
  ]);
  const market = {
    label: null,
    knownUntil: new Date('2026-02-10T00:00:00Z'),
    spreads: new Map([...lists.keys()].map((symbol) => [symbol, 10])),
    rates: { tradeBps: 40, performanceBps: 1000 },
    listCandles: async (symbol: string) => lists.get(symbol) ?? [],
  };

  test.each(variants)('%s comes to what the rules written down a second time give', async (_, terms) => {
    const answer = await compare(lists, market, terms, '2026-01-02', '2026-02-08');
    expect(answer.trades_total).toBeGreaterThan(10);
  });
});

describe('recorded candles of months', () => {
  test.each(variants)('%s comes to the same for three coins', async (_, terms) => {
    const { folder, opens } = openQuarters(inject('recordings'));
    const lists = new Map(
      ['btc', 'doge', 'eos'].map((symbol) => [
        symbol,
        readRows(folder, symbol).map(({ at, open, high, low, close }) => ({
          atMs: at,
          open: Number(open),
          high: Number(high),
          low: Number(low),
          close: Number(close),
        })),
      ]),
    );
    const market = await openRecordedMarket(readConfig({ MARKET_FEED: 'replay', REPLAY_DATA: folder }).market);
    const [from, to] = [opens[1], opens.at(-1)].map((opensAt) =>
      new Date(opensAt as number).toISOString().slice(0, 10),
    );
    const answer = await compare(lists, market, terms, from as string, to as string);
    expect(answer.trades_total).toBeGreaterThan(10);
  });
});
