import type { MadeCandle } from '#test/recorded/made-candles.ts';

/**
 * An independent backtest, written from docs/trading.md rather than the code, in integers: prices in units of 10⁻¹²
 * dollar, money in micros.
 */
const units = (price: number) => BigInt(Math.round(price * 1e8)) * 10_000n;
export const STEP = 900_000;
export const micros = (dollars: number) => BigInt(Math.round(dollars * 1e6));
export const dollars = (amount: bigint) => Number(amount) / 1e6;

export type Terms = {
  strategy: 'session_hold' | 'momentum' | 'mean_reversion';
  period: number;
  multiple: number;
  compounding: boolean;
  stopLoss?: number;
  takeProfit?: number;
  trailing?: number;
};
export type Candles = { candles: readonly MadeCandle[]; minutes?: readonly MadeCandle[] };
type Tick = { at: number; mark: bigint };
/** A candle in units: one minute where its quarter of an hour has minutes, otherwise the whole quarter. */
type Step = { at: number; open: bigint; high: bigint; low: bigint };
export type Trade = {
  at: number;
  until: number;
  why: string;
  amount: bigint;
  fee: bigint;
  performance: bigint;
  result: bigint;
};

export function recompute({ candles, minutes = [] }: Candles, from: string, to: string, amount: bigint, terms: Terms) {
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
    const steps = sessionSteps(byTime, minutes, opens, closes);
    const lastMark = lastTick(candles, closes).mark;
    const soldAt = (mark: bigint) => half(mark * 19_990n, 20_000n);
    const boughtAt = (mark: bigint) => half(mark * 20_010n, 20_000n);
    if (held === undefined && steps[0])
      held = { price: boughtAt(steps[0].open), net: amount - (amount * 40n) / 10_000n };
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
      const entry = steps.findIndex((step) => step.at >= boundary);
      const bought = steps[entry];
      if (bought === undefined) break;
      const price = boughtAt(bought.open);
      const sale = findSale(byTime, steps, entry, price, { at: closes, mark: lastMark }, terms);
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

function sessionSteps(
  byTime: Map<number, MadeCandle>,
  minutes: readonly MadeCandle[],
  opens: number,
  closes: number,
): Step[] {
  const steps: Step[] = [];
  for (let at = opens; at < closes; at += STEP) {
    const fine = minutes.filter(({ atMs }) => atMs >= at && atMs < at + STEP);
    const coarse = byTime.get(at);
    for (const { atMs, open, high, low } of fine.length > 0 ? fine : coarse ? [coarse] : [])
      steps.push({ at: atMs, open: units(open), high: units(high), low: units(low) });
  }
  return steps;
}

const lastTick = (candles: readonly MadeCandle[], closes: number): Tick =>
  path(candles.findLast((candle) => candle.atMs < closes) as MadeCandle)[3] as Tick;

/** The last `count` candles closed at a boundary, newest first; undefined if one is missing. */
function look(byTime: Map<number, MadeCandle>, boundary: number, count: number): MadeCandle[] | undefined {
  const seen: MadeCandle[] = [];
  for (let back = 1; back <= count; back += 1) {
    const candle = byTime.get(boundary - back * STEP);
    if (candle === undefined) return undefined;
    seen.push(candle);
  }
  return seen;
}

/** Why nothing is bought at a boundary, or undefined. Averages are compared as sums to avoid division. */
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

type Sale = { at: number; mark: bigint; why: string };

/**
 * The earliest of: the strategy's sale, at the first open from its boundary on; a stop, at the lower of its level and
 * the next open, or of its level and the closing mark if the session has no further open; the close.
 */
function findSale(
  byTime: Map<number, MadeCandle>,
  steps: Step[],
  entry: number,
  price: bigint,
  close: Tick,
  terms: Terms,
): Sale {
  const stop = findStop(steps, entry, price, terms);
  const boundary = findExit(byTime, (steps[entry] as Step).at, close.at, terms);
  if (boundary !== undefined && (stop === undefined || boundary <= (steps[stop.index] as Step).at)) {
    const step = steps.find(({ at }) => at >= boundary);
    if (step !== undefined) return { at: step.at, mark: step.open, why: 'strategy' };
  }
  if (stop === undefined) return { ...close, why: 'session_close' };
  const next = steps[stop.index + 1];
  const { at, mark } = next === undefined ? close : { at: next.at, mark: next.open };
  return { at, mark: mark < stop.level ? mark : stop.level, why: stop.why };
}

function findStop(steps: Step[], entry: number, price: bigint, terms: Terms) {
  const tenths = (percent: number) => BigInt(Math.round(percent * 10));
  const part = (of: bigint, thousandths: bigint) => half(of * thousandths, 1000n);
  let top = (steps[entry] as Step).open;
  for (let index = entry; index < steps.length; index += 1) {
    const { open, high, low } = steps[index] as Step;
    // Walks from one price to the next through the extremes in both orders; the lower sale counts.
    const walk = (marks: bigint[]) => {
      let best = top;
      for (const mark of marks) {
        const loss = terms.stopLoss && part(price, 1000n - tenths(terms.stopLoss));
        const gain = terms.takeProfit && part(price, 1000n + tenths(terms.takeProfit));
        if (loss && mark <= loss) return { why: 'stop_loss', level: loss };
        if (terms.trailing && mark * 1000n <= best * (1000n - tenths(terms.trailing)))
          return { why: 'trailing_stop', level: part(best, 1000n - tenths(terms.trailing)) };
        if (gain && mark >= gain) return { why: 'take_profit', level: gain };
        if (mark > best) best = mark;
      }
      return undefined;
    };
    const jumped = index > entry ? walk([open]) : undefined;
    if (jumped) return { index, why: jumped.why, level: jumped.level < open ? jumped.level : open };
    if (open > top) top = open;
    const ways = [walk([low, high]), walk([high, low])].filter((way) => way !== undefined);
    const worst = ways.sort((a, b) => (a.level < b.level ? -1 : 1))[0];
    if (worst) return { index, ...worst };
    if (high > top) top = high;
  }
  return undefined;
}

function findExit(byTime: Map<number, MadeCandle>, bought: number, closes: number, terms: Terms) {
  if (terms.strategy === 'session_hold') return undefined;
  for (let boundary = Math.floor(bought / STEP) * STEP + STEP; boundary < closes; boundary += STEP) {
    const seen = look(byTime, boundary, terms.period + (terms.strategy === 'momentum' ? 0 : 1));
    if (seen === undefined) continue;
    const { last, sum } = sums(seen, terms.period);
    if (terms.strategy === 'momentum' ? last <= sum : last >= sum) return boundary;
  }
  return undefined;
}
