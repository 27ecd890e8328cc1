import { describe, expect, test } from 'vitest';
import { noStops } from '../stops/stops.ts';
import { settingOf } from '../strategies.ts';
import type { SessionPrices } from './backtest-prices.ts';
import { type AssetOrder, simulateSession } from './backtest-session.ts';

const STEP = 900_000;
const opensAtMs = Date.parse('2026-03-04T12:30:00Z');
const closesAtMs = Date.parse('2026-03-04T17:30:00Z');
const at = (time: string) => Date.parse(`2026-03-04T${time}Z`);

const order: AssetOrder = {
  symbol: 'btc',
  setting: settingOf('session_hold'),
  amount: 250_000_000n,
  minimum: 5_000_000n,
  compounding: false,
  stops: noStops,
  rates: { tradeBps: 40, performanceBps: 1000 },
  spreadBps: 10,
};
const all = { principal: 250_000_000n, gains: 0n };

/** A candle that opens at `open`; without more it is flat. */
type Prices = { open?: number; high?: number; low?: number; close?: number };
const candleOf = (atMs: number, { open = 100, high, low, close = open }: Prices = {}) => ({
  atMs,
  open,
  close,
  high: high ?? Math.max(open, close),
  low: low ?? Math.min(open, close),
});

/** A session of 15-minute candles that are flat at 100, except the given ones. */
function prices(named: Record<string, Prices>, change: Partial<SessionPrices> = {}): SessionPrices {
  const known = new Map(Object.entries(named).map(([time, candle]) => [at(time), candle]));
  const boundaries = Array.from({ length: 20 }, (_, index) => {
    const atMs = opensAtMs + index * STEP;
    return { atMs, closed: [], candles: [candleOf(atMs, known.get(atMs))] };
  });
  const closing = { mark: '100', atMs: closesAtMs, isLate: false };
  return { day: '2026-03-04', opensAtMs, closesAtMs, boundaries, closing, ...change };
}

const closing = (mark: string, isLate = false) => ({ closing: { mark, atMs: closesAtMs, isLate } });

describe('session hold', () => {
  test('buys at the first open, sells at the closing mark, and pays both fees', () => {
    const played = simulateSession(order, all, prices({}, closing('110')));
    // N = 249; 249 × 109.945 ÷ 100.05 = 273.626236…; over 250: 23.626236, a tenth of it is the performance fee.
    expect(played.trades).toEqual([
      {
        symbol: 'btc',
        day: '2026-03-04',
        amount: 250_000_000n,
        fee: 1_000_000n,
        openedAtMs: opensAtMs,
        openPrice: '100.050000000000',
        entry: { code: 'session_opens', facts: {} },
        closedAtMs: closesAtMs,
        closePrice: '109.945000000000',
        exit: { code: 'session_close', facts: {} },
        gross: 24_626_236n,
        performanceFee: 2_362_623n,
        result: 21_263_613n,
      },
    ]);
    expect(played.capital).toEqual({ principal: 250_000_000n, gains: 21_263_613n });
    expect([...played.waits]).toEqual([]);
  });

  test('compounds gains if asked to, and losses in any case', () => {
    const gain = simulateSession({ ...order, compounding: true }, all, prices({}, closing('110')));
    expect(gain.capital).toEqual({ principal: 271_263_613n, gains: 0n });
    for (const compounding of [true, false]) {
      const loss = simulateSession({ ...order, compounding }, all, prices({}, closing('66')));
      // 249 × 65.967 ÷ 100.05 = 164.175742…
      expect(loss.capital).toEqual({ principal: 164_175_742n, gains: 0n });
    }
  });

  test('buys at the first available open if there is none at the opening', () => {
    const late = prices({ '13:00:00': { open: 101 } });
    const boundaries = late.boundaries.map((boundary) => ({
      ...boundary,
      candles: boundary.candles.filter((candle) => candle.atMs >= at('13:00:00')),
    }));
    const { trades } = simulateSession(order, all, { ...late, boundaries });
    expect(trades).toMatchObject([{ openedAtMs: at('13:00:00'), openPrice: '101.050500000000' }]);
  });

  test('does nothing without any price', () => {
    const empty = prices({});
    const boundaries = empty.boundaries.map((boundary) => ({ ...boundary, candles: [] }));
    expect(simulateSession(order, all, { ...empty, boundaries })).toMatchObject({ trades: [], capital: all });
  });

  test('marks a late closing price as late', () => {
    const { trades } = simulateSession(order, all, prices({}, closing('90', true)));
    expect(trades).toMatchObject([{ exit: { code: 'late_price' } }]);
  });
});

test('the open that a position was bought at triggers no stop', () => {
  const stopped = (stops: Partial<AssetOrder['stops']>, named: Record<string, Prices>) =>
    simulateSession({ ...order, stops: { ...noStops, ...stops } }, all, prices(named)).trades[0];
  // Bought at 100.05: its own mark of 100 is 0.05 % below the open price, too little for a stop of 0.1 %.
  expect(stopped({ trailingStop: 1 }, { '12:30:00': { low: 99.9 } })).toMatchObject({ closedAtMs: at('12:45:00') });
  expect(stopped({ stopLoss: 1 }, {})).toMatchObject({ exit: { code: 'session_close' } });
});

describe('a strategy that buys more than once', () => {
  const momentum = { ...order, setting: settingOf('momentum', { period: 5 }) };
  const candles = (boundaryMs: number, last: number) =>
    [100, 100, 100, 100, last].map((close, index) => ({
      atMs: boundaryMs - (5 - index) * STEP,
      open: close,
      high: close,
      low: close,
      close,
    }));
  /** Above its average at the given boundaries, otherwise below it. */
  const session = (above: readonly string[], named: Record<string, Prices> = {}) => {
    const base = prices(named);
    const isAbove = new Set(above.map(at));
    const boundaries = base.boundaries.map((boundary) => ({
      ...boundary,
      closed: candles(boundary.atMs, isAbove.has(boundary.atMs) ? 101 : 99),
    }));
    return { ...base, boundaries };
  };

  test('sells at the boundary where it decides to, and reinvests the rest the next time', () => {
    const { trades, waits, capital } = simulateSession(momentum, all, session(['12:45:00', '15:00:00']));
    expect(trades).toMatchObject([
      {
        amount: 250_000_000n,
        openedAtMs: at('12:45:00'),
        closedAtMs: at('13:00:00'),
        entry: { code: 'above_average' },
        exit: { code: 'fell_to_average' },
      },
      { amount: 248_751_124n, openedAtMs: at('15:00:00'), closedAtMs: at('15:15:00') },
    ]);
    expect(capital.principal).toBe(248_751_124n + (trades[1]?.result ?? 0n));
    // 20 boundaries: 2 bought, 2 sold, the last is too late.
    expect(waits.get('not_above_average')?.count).toBe(15);
    expect(waits.get('too_late')).toMatchObject({ count: 1, atMs: at('17:15:00') });
  });

  test('rests after a stop until the next session', () => {
    const above = ['12:45:00', '13:00:00', '13:15:00', '13:30:00', '13:45:00', '14:00:00'];
    const named = { '12:45:00': { low: 97 } };
    const stops = { ...noStops, stopLoss: 10 };
    const { trades, waits } = simulateSession({ ...momentum, stops }, all, session(above, named));
    expect(trades).toMatchObject([{ closedAtMs: at('13:00:00'), exit: { code: 'stop_loss' } }]);
    expect(waits.get('stopped_today')).toEqual({ count: 17, atMs: at('17:15:00'), facts: {} });
  });

  test('fills a trigger before it asks the strategy again', () => {
    // Triggered after 12:45; at 13:00 the strategy would sell too, but the sale is already requested.
    const stops = { ...noStops, stopLoss: 10 };
    const { trades } = simulateSession({ ...momentum, stops }, all, session(['12:45:00'], { '12:45:00': { low: 97 } }));
    expect(trades).toMatchObject([{ closedAtMs: at('13:00:00'), exit: { code: 'stop_loss' } }]);
  });

  test('buys nothing below the minimum, and names the minimum', () => {
    const { trades, waits } = simulateSession(momentum, { principal: 4_999_999n, gains: 9n }, session(['12:45:00']));
    expect(trades).toEqual([]);
    expect(waits.get('under_minimum')).toEqual({ count: 20, atMs: at('17:15:00'), facts: { minimum: 5 } });
  });
});
