import { describe, expect, inject, test } from 'vitest';
import { type BacktestOrderInput, backtestOrder } from '#contract/trading/backtest.ts';
import { readConfig } from '#server/config.ts';
import { type MadeCandle, makeCandles } from '#test/recorded/made-candles.ts';
import { openQuarters, readRows } from '#test/recorded/recordings.ts';
import { type Candles, dollars, micros, recompute, STEP, type Terms, type Trade } from '#test/worlds/backtest-model.ts';
import { openRecordedMarket, simulateBacktest } from './run-backtest.ts';

/** Whole backtests are calculated a second time by `test/worlds/backtest-model.ts`; every trade and figure must be the same. */
const hold: Terms = { strategy: 'session_hold', period: 0, multiple: 0, compounding: false };
const momentum = (period: number): Terms => ({ ...hold, strategy: 'momentum', period });
const reversion = (period: number, multiple: number): Terms => ({
  ...hold,
  strategy: 'mean_reversion',
  period,
  multiple,
});
const variants: [string, Terms][] = [
  ['session hold', hold],
  ['session hold with stops', { ...hold, compounding: true, stopLoss: 1, takeProfit: 1.5, trailing: 0.8 }],
  ['momentum', momentum(20)],
  ['momentum of 7 with a trailing stop', { ...momentum(7), compounding: true, trailing: 0.5 }],
  ['mean reversion', { ...reversion(20, 2), compounding: true }],
  ['mean reversion of 10 × 1.5, with a stop-loss', { ...reversion(10, 1.5), stopLoss: 0.7 }],
];

function orderOf(terms: Terms, assets: string[], from: string, to: string): BacktestOrderInput {
  const parameters = {
    session_hold: {},
    momentum: { period: terms.period },
    mean_reversion: { period: terms.period, atr_multiple: terms.multiple },
  };
  return {
    strategy: terms.strategy,
    params: parameters[terms.strategy],
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
  lists: Map<string, Candles>,
  market: Parameters<typeof simulateBacktest>[1],
  terms: Terms,
  from: string,
  to: string,
) {
  const answer = await simulateBacktest(backtestOrder.parse(orderOf(terms, [...lists.keys()], from, to)), market);
  const share = micros(1000) / BigInt(lists.size);
  const each = [...lists].map(([symbol, own]) => ({ symbol, ...recompute(own, from, to, share, terms) }));
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
  { stats }: Awaited<ReturnType<typeof simulateBacktest>>,
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
  /** Minutes in the third coin, but for every fifth quarter of an hour, which has none. */
  const minutes = makeCandles('2026-01-20T00:00:00Z', 12 * 1440, 14)
    .map((candle, index) => ({ ...candle, atMs: Date.parse('2026-01-20T00:00:00Z') + index * 60_000 }))
    .filter(({ atMs }) => (atMs / STEP) % 5 >= 1);
  /** Every 37th candle is missing in the second coin. */
  const lists = new Map<string, Candles>([
    ['btc', { candles: makeCandles('2026-01-01T00:00:00Z', 40 * 96, 11) }],
    ['eth', { candles: makeCandles('2026-01-01T00:00:00Z', 40 * 96, 12).filter((_, index) => index % 37 !== 5) }],
    ['sol', { candles: quartersOf(makeCandles('2026-01-01T00:00:00Z', 40 * 96, 13), minutes), minutes }],
  ]);
  const market = {
    label: null,
    knownUntil: new Date('2026-02-10T00:00:00Z'),
    spreads: new Map([...lists.keys()].map((symbol) => [symbol, 10])),
    rates: { tradeBps: 40, performanceBps: 1000 },
    listCandles: async (symbol: string) => lists.get(symbol)?.candles ?? [],
    listMinutes: async (symbol: string) => lists.get(symbol)?.minutes ?? [],
  };

  test.each(variants)('%s comes to what the rules written down a second time give', async (_, terms) => {
    const answer = await compare(lists, market, terms, '2026-01-02', '2026-02-08');
    expect(answer.trades_total).toBeGreaterThan(10);
  });
});

test('a candle from 100 over 90 and 110 to 105 with a stop of 5 % loses, though the high would have come after the low', async () => {
  const candles = ['12:30', '12:45'].map((time, index) => ({
    atMs: Date.parse(`2026-03-04T${time}:00Z`),
    ...(index === 0 ? { open: 100, high: 110, low: 90, close: 105 } : { open: 105, high: 105, low: 105, close: 105 }),
  }));
  const { trades } = await simulateBacktest(
    backtestOrder.parse({
      strategy: 'session_hold',
      symbols: ['btc'],
      from: '2026-03-04',
      to: '2026-03-04',
      amount: 250,
      stop_loss: 5,
    }),
    {
      label: null,
      knownUntil: new Date('2026-03-05T00:00:00Z'),
      spreads: new Map([['btc', 10]]),
      ...{
        rates: { tradeBps: 40, performanceBps: 1000 },
        listCandles: async () => candles,
        listMinutes: async () => [],
      },
    },
  );
  expect(trades).toMatchObject([{ exit: { code: 'stop_loss' }, result: -13.568275 }]);
});

/** Where there are minutes, a quarter of an hour is made of them. */
function quartersOf(quarters: readonly MadeCandle[], minutes: readonly MadeCandle[]): MadeCandle[] {
  const byQuarter = Map.groupBy(minutes, ({ atMs }) => Math.floor(atMs / STEP) * STEP);
  return quarters.map((quarter) => {
    const own = byQuarter.get(quarter.atMs);
    if (own === undefined) return quarter;
    return {
      atMs: quarter.atMs,
      open: (own[0] as MadeCandle).open,
      high: Math.max(...own.map(({ high }) => high)),
      low: Math.min(...own.map(({ low }) => low)),
      close: (own.at(-1) as MadeCandle).close,
    };
  });
}

describe('recorded candles of months', () => {
  test.each(variants)('%s comes to the same for three coins', async (_, terms) => {
    const { folder, opens } = openQuarters(inject('recordings'));
    const lists = new Map(
      ['btc', 'doge', 'eos'].map((symbol) => [
        symbol,
        {
          candles: readRows(folder, symbol).map(({ at, open, high, low, close }) => ({
            atMs: at,
            open: Number(open),
            high: Number(high),
            low: Number(low),
            close: Number(close),
          })),
        },
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
