import type { Row } from '#test/recorded/recordings.ts';

/**
 * An independent model of trades and plans, written from the rules (docs/trading.md) rather than the code: expected
 * outcomes from the recorded candles alone, with possible gaps. Prices are integers of 10⁻¹² dollar, money of 10⁻⁶.
 */
export type Tick = { readonly at: number; readonly price: bigint; readonly candle: number; readonly quarter: number };
export type Stops = { readonly loss: number | null; readonly profit: number | null; readonly trailing: number | null };

const PRICE = 10n ** 12n;
const half = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator);
const price = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * PRICE + BigInt(fraction.padEnd(12, '0').slice(0, 12));
};

/** Open, low and high (high and low if the candle falls), close: each for a quarter of the candle. */
export const ticksOf = (candles: readonly Row[], stepMs: number): Tick[] =>
  candles.flatMap(({ at, open, high, low, close }) =>
    [open, ...(Number(close) < Number(open) ? [high, low] : [low, high]), close].map((text, quarter) => ({
      at: at + (quarter * stepMs) / 4,
      price: price(text),
      candle: at,
      quarter,
    })),
  );

export type Day = {
  readonly opensAt: number;
  readonly closesAt: number;
  /** Candles longer than a minute: stops are then evaluated per candle. */
  readonly isCoarse: boolean;
  /** Ticks of the session, and its closing mark. */
  readonly ticks: ReadonlyMap<string, readonly Tick[]>;
  readonly closing: ReadonlyMap<string, bigint>;
  /** 15-minute candles from long before the session to its end. */
  readonly quarters: ReadonlyMap<string, readonly { at: number; high: bigint; low: bigint; close: bigint }[]>;
};

const QUARTER = 900_000;

export function dayOf(recorded: ReadonlyMap<string, readonly Row[]>, stepMs: number, opensAt: number): Day {
  const closesAt = opensAt + 5 * 3_600_000;
  const near = new Map(
    [...recorded].map(([symbol, candles]) => [
      symbol,
      candles.filter((candle) => candle.at >= opensAt - 110 * QUARTER && candle.at < closesAt),
    ]),
  );
  const all = new Map([...near].map(([symbol, candles]) => [symbol, ticksOf(candles, stepMs)]));
  return {
    opensAt,
    closesAt,
    isCoarse: stepMs > 60_000,
    ticks: new Map([...all].map(([symbol, ticks]) => [symbol, ticks.filter((tick) => tick.at >= opensAt)])),
    closing: new Map([...all].map(([symbol, ticks]) => [symbol, sell(average(ticks, closesAt - 60_000, closesAt))])),
    quarters: new Map([...near].map(([symbol, candles]) => [symbol, quartersOf(candles)])),
  };
}

function quartersOf(candles: readonly Row[]) {
  const byQuarter = Map.groupBy(candles, (candle) => Math.floor(candle.at / QUARTER) * QUARTER);
  return [...byQuarter].map(([at, part]) => ({
    at,
    high: part.map((candle) => price(candle.high)).reduce(higher),
    low: part.map((candle) => price(candle.low)).reduce(lower),
    close: price(part.at(-1)?.close as string),
  }));
}

/** Weights each mark by how long it was in force. */
function average(ticks: readonly Tick[], from: number, to: number): bigint {
  const first = ticks.findLastIndex((tick) => tick.at <= from);
  const held = ticks.slice(first).filter((tick) => tick.at < to);
  const weighted = held.reduce(
    (sum, tick, index) => sum + tick.price * BigInt((held[index + 1]?.at ?? to) - Math.max(tick.at, from)),
    0n,
  );
  return half(weighted, BigInt(to - from));
}

const buy = (mark: bigint): bigint => half(mark * 10_005n, 10_000n);
const sell = (mark: bigint): bigint => half(mark * 9995n, 10_000n);

export type Outcome = {
  readonly openedAt: number;
  readonly closedAt: number;
  readonly reason: string;
  readonly fee: bigint;
  readonly gross: bigint;
  readonly performanceFee: bigint;
  readonly result: bigint;
};

type Request = { at: number; cause: string; limit?: bigint; candle?: number };
type Position = {
  readonly openedAt: number;
  readonly openPrice: bigint;
  highest: bigint;
  request: Request | null;
  /** The first extreme of the current candle. */
  first: Tick | null;
};

const open = (tick: Tick): Position => ({
  openedAt: tick.at,
  openPrice: buy(tick.price),
  highest: tick.price,
  request: null,
  first: null,
});

type Crossing = { cause: string; level: bigint };

/** The first stop that successive marks reach; a loss takes precedence over a profit. */
function walk(position: Position, marks: readonly bigint[], stops: Stops): Crossing | undefined {
  let top = position.highest;
  for (const mark of marks) {
    const level = (of: bigint, permille: number) => half(of * BigInt(1000 + permille), 1000n);
    if (stops.loss !== null && mark <= level(position.openPrice, -stops.loss))
      return { cause: 'stop_loss', level: level(position.openPrice, -stops.loss) };
    if (stops.trailing !== null && mark * 1000n <= top * BigInt(1000 - stops.trailing))
      return { cause: 'trailing_stop', level: level(top, -stops.trailing) };
    if (stops.profit !== null && mark >= level(position.openPrice, stops.profit))
      return { cause: 'take_profit', level: level(position.openPrice, stops.profit) };
    top = higher(top, mark);
  }
  return undefined;
}

/** A tick of a coarse candle without a sale: the extremes are walked in both orders, and the lower sale counts. */
function lookInCandle(position: Position, tick: Tick, stops: Stops): void {
  const first = position.first?.candle === tick.candle && tick.quarter === 2 ? position.first : null;
  if (position.request !== null && !(first && position.request.at === first.at)) return;
  if (tick.at === position.openedAt) return;
  const ways = first
    ? [
        [first.price, tick.price],
        [tick.price, first.price],
      ].map((marks) => walk(position, marks, stops))
    : [walk(position, [tick.price], stops)];
  const worst = ways.filter((way) => way !== undefined).sort((one, other) => (one.level < other.level ? -1 : 1))[0];
  if (worst) {
    const limit = sell(tick.quarter === 0 ? lower(worst.level, tick.price) : worst.level);
    position.request = { at: tick.at, cause: worst.cause, limit, candle: tick.candle };
  }
  position.first = tick.quarter === 1 ? tick : null;
  if (tick.quarter !== 1) position.highest = [first?.price ?? 0n, tick.price].reduce(higher, position.highest);
}

/** The sale of a position at a tick, if any: a stop with a limit waits for the next candle. */
function saleOf({ request }: Position, tick: Tick) {
  if (request === null || (request.candle !== undefined && request.candle >= tick.candle)) return undefined;
  const price = sell(tick.price);
  return {
    closedAt: tick.at,
    price: request.limit === undefined ? price : lower(price, request.limit),
    reason: request.cause,
  };
}

/** A tick without a sale: the first of the three stops that it triggers requests one. */
function look(day: Day, position: Position, tick: Tick, stops: Stops): void {
  if (day.isCoarse) {
    lookInCandle(position, tick, stops);
    return;
  }
  if (position.request !== null || tick.at === position.openedAt) return;
  if (tick.price > position.highest) position.highest = tick.price;
  const isUnder = (of: bigint, permille: number) => tick.price * 1000n <= of * BigInt(1000 - permille);
  const level = (permille: number) => half(position.openPrice * BigInt(1000 + permille), 1000n);
  if (stops.loss !== null && tick.price <= level(-stops.loss)) position.request = { at: tick.at, cause: 'stop_loss' };
  else if (stops.profit !== null && tick.price >= level(stops.profit))
    position.request = { at: tick.at, cause: 'take_profit' };
  else if (stops.trailing !== null && isUnder(position.highest, stops.trailing))
    position.request = { at: tick.at, cause: 'trailing_stop' };
}

function settle(position: Position, amount: bigint, at: { closedAt: number; price: bigint; reason: string }): Outcome {
  const fee = (amount * 40n) / 10_000n;
  const proceeds = ((amount - fee) * at.price) / position.openPrice;
  const performanceFee = proceeds > amount ? (proceeds - amount) / 10n : 0n;
  return {
    openedAt: position.openedAt,
    closedAt: at.closedAt,
    reason: at.reason,
    fee,
    gross: proceeds - (amount - fee),
    performanceFee,
    result: proceeds - amount - performanceFee,
  };
}

export type ModelTrade = {
  readonly symbol: string;
  readonly amount: bigint;
  readonly requestedAt: number;
  readonly stops: Stops;
  readonly closeRequestedAt?: number;
};

/** The expected outcome of a trade. */
export function tradeOutcome(day: Day, trade: ModelTrade): Outcome {
  const ticks = day.ticks.get(trade.symbol) ?? [];
  const first = ticks.findIndex((tick) => tick.at > trade.requestedAt);
  const position = open(ticks[first] as Tick);
  for (const tick of ticks.slice(first + 1)) {
    if (position.request === null && trade.closeRequestedAt !== undefined && trade.closeRequestedAt < tick.at)
      position.request = { at: trade.closeRequestedAt, cause: 'close_now' };
    const sale = saleOf(position, tick);
    if (sale) return settle(position, trade.amount, sale);
    look(day, position, tick, trade.stops);
  }
  return atClose(day, trade, position);
}

const atClose = (day: Day, { symbol, amount }: { symbol: string; amount: bigint }, position: Position): Outcome =>
  settle(position, amount, {
    closedAt: day.closesAt,
    ...closeOf(day.closing.get(symbol) as bigint, position.request),
  });

/** A stop triggered too late for another candle is sold at the close, no better than at its limit. */
const closeOf = (price: bigint, request: Request | null) =>
  request?.limit === undefined
    ? { price, reason: 'session_close' }
    : { price: lower(price, request.limit), reason: request.cause };

export type ModelPlan = {
  readonly symbol: string;
  readonly strategy: string;
  readonly params: { readonly period?: number; readonly atr_multiple?: number };
  readonly stops: Stops;
  readonly compounding: boolean;
};

const higher = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const distance = (one: bigint, other: bigint): bigint => (one > other ? one - other : other - one);
const total = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);

/** Whether a strategy wants to enter, exit or stay as it is at the end of a quarter of an hour. */
function wants(day: Day, { symbol, strategy, params }: ModelPlan, at: number): 'in' | 'out' | 'same' {
  if (strategy === 'session_hold') return at === day.opensAt ? 'in' : 'same';
  const period = params.period as number;
  // A missing candle leaves the state unknown, so no decision is made.
  const needed = strategy === 'momentum' ? period : period + 1;
  const seen = (day.quarters.get(symbol) ?? []).filter(
    (quarter) => quarter.at >= at - needed * QUARTER && quarter.at < at,
  );
  if (seen.length < needed) return 'same';
  const last = seen.slice(-period);
  // Everything is multiplied by the period to avoid division and rounding.
  const middle = total(last.map((quarter) => quarter.close));
  const close = (last.at(-1)?.close as bigint) * BigInt(period);
  if (strategy === 'momentum') return close > middle ? 'in' : 'out';
  const ranges = last.map(({ high, low }, index) => {
    const before = seen[index]?.close as bigint;
    return [high - low, distance(high, before), distance(low, before)].reduce(higher);
  });
  if (close >= middle) return 'out';
  const halves = BigInt((params.atr_multiple as number) * 2);
  return 2n * close <= 2n * middle - halves * total(ranges) ? 'in' : 'same';
}

/** The expected trades of a plan in one session, and its cash afterwards. */
export function planOutcome(day: Day, plan: ModelPlan, cash: bigint): { trades: Outcome[]; cash: bigint } {
  const trades: Outcome[] = [];
  let left = cash;
  let position: Position | null = null;
  let isResting = false;
  let isWaiting = false;
  let boundary = day.opensAt;
  const sold = (outcome: Outcome) => {
    trades.push(outcome);
    left += plan.compounding || outcome.result < 0n ? outcome.result : 0n;
    position = null;
    if (outcome.reason.includes('stop') || outcome.reason === 'take_profit') isResting = true;
  };
  const ticks = day.ticks.get(plan.symbol) ?? [];
  for (const tick of ticks) {
    for (; boundary <= tick.at; boundary += QUARTER) {
      const wish = wants(day, plan, boundary);
      if (position === null && !isResting && wish === 'in' && boundary < day.closesAt - QUARTER && left >= 5_000_000n)
        isWaiting = true;
      if (position !== null && (position as Position).request === null && wish === 'out')
        (position as Position).request = { at: boundary - 1, cause: 'strategy' };
    }
    if (isWaiting) {
      position = open(tick);
      isWaiting = false;
    } else if (position !== null) {
      const sale = saleOf(position, tick);
      if (sale) sold(settle(position, left, sale));
      else look(day, position, tick, plan.stops);
    }
  }
  if (position !== null) sold(atClose(day, { symbol: plan.symbol, amount: left }, position));
  return { trades, cash: left };
}
