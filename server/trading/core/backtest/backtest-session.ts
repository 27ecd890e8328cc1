import type { FeeRates } from '#contract/fee-plan.ts';
import { toDollars } from '#contract/money.ts';
import type { ReasonCode, ReasonFacts } from '#contract/trading/strategy.ts';
import { buyPrice, formatPrice, parsePrice, sellPrice } from '../price.ts';
import { type Settlement, settle, tradeFee } from '../settlement.ts';
import {
  findTriggered,
  hasStops,
  type StopLevels,
  type StopPermilles,
  stopLevels,
  type Triggered,
} from '../stops/stops.ts';
import { type Decision, decideEntry, decideExit, type StrategyCandle, type StrategySetting } from '../strategies.ts';
import { decimalText, type SessionPrices } from './backtest-prices.ts';

/** The backtest of one asset; money in micros. */
export type AssetOrder = {
  readonly symbol: string;
  readonly setting: StrategySetting;
  readonly amount: bigint;
  /** Nothing is bought below this amount. */
  readonly minimum: bigint;
  readonly compounding: boolean;
  readonly stops: StopPermilles;
  readonly rates: FeeRates;
  readonly spreadBps: number;
};

export type Reason = { readonly code: ReasonCode; readonly facts: ReasonFacts };

/** A finished trade; `result` and the other figures as in `settle`. */
export type SimulatedTrade = Pick<Settlement, 'gross' | 'performanceFee' | 'result'> & {
  readonly symbol: string;
  readonly day: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly openedAtMs: number;
  readonly openPrice: string;
  readonly entry: Reason;
  readonly closedAtMs: number;
  readonly closePrice: string;
  readonly exit: Reason;
};

/** Decisions of one kind that did not enter: their count, and the last of them. */
export type Waits = { readonly count: number; readonly atMs: number; readonly facts: ReasonFacts };

/** An asset's state between two sessions: the principal being traded, and gains taken out of it. */
export type Capital = { readonly principal: bigint; readonly gains: bigint };

export type SimulatedSession = {
  readonly capital: Capital;
  readonly trades: readonly SimulatedTrade[];
  readonly waits: ReadonlyMap<ReasonCode, Waits>;
};

type Position = {
  readonly openedAtMs: number;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly openPrice: string;
  readonly entry: Reason;
  readonly levels: StopLevels;
  readonly highest: bigint;
};

/**
 * Simulates one session of one asset by the rules of a live plan (docs/product.md, section 3). At each boundary the
 * strategy decides on closed candles; its request is filled at the first open at or after the boundary. A stop
 * triggered by a candle is sold at the worse of its level and the next open, and the close sells the rest. The whole
 * principal is traded each time: a loss reduces it, a gain increases it only with compounding. After a stop nothing
 * more is bought in the session.
 *
 * Worked: 250 dollars, session hold, the opening tick 100 and the closing mark 110, spread 10, fees 40 and 1000: bought
 * at 100.05 and sold at 109.945 for N = 249, P = 273.626236…; the gain over 250 is 23.626236, the performance fee
 * 2.362623, the result 21.263613.
 */
export function simulateSession(order: AssetOrder, before: Capital, prices: SessionPrices): SimulatedSession {
  const { setting, minimum } = order;
  const { opensAtMs, closesAtMs } = prices;
  let capital = before;
  let position: Position | null = null;
  let pending: PendingOrder | null = null;
  let hasStopped = false;
  const trades: SimulatedTrade[] = [];
  const waits = new Map<ReasonCode, Waits>();
  const sell = (open: Position, sale: Sale) => {
    const trade = finish(order, prices.day, open, sale);
    trades.push(trade);
    capital = addResult(capital, trade.result, order.compounding);
    hasStopped ||= isStop(sale.exit.code);
  };

  for (const { atMs, closed, candles } of prices.boundaries) {
    // No new decision while a request awaits its tick.
    if (pending === null) {
      const boundary = { atMs, opensAtMs, closesAtMs };
      const decision: Decision =
        position === null
          ? (refuseEntry(capital, hasStopped, minimum) ?? decideEntry(setting, closed, boundary))
          : decideExit(setting, closed, boundary);
      if (decision.action !== 'wait') pending = { code: decision.reason, facts: decision.facts, maxMark: null };
      else if (position === null) addWait(waits, decision, atMs);
    }
    for (const candle of candles) {
      if (pending !== null && position === null) {
        position = buy(order, capital.principal, candle, pending);
        pending = null;
      } else if (pending !== null && position !== null) {
        sell(position, {
          mark: worse(decimalText(candle.open), pending.maxMark),
          closedAtMs: candle.atMs,
          exit: pending,
        });
        position = null;
        pending = null;
      }
      if (position === null || !hasStops(order.stops)) continue;
      const outcome: CandleOutcome = applyCandle(position, candle);
      position = outcome.position;
      pending = outcome.pending;
    }
  }
  const { closing } = prices;
  if (position !== null && closing !== null) {
    // A stop triggered too late for another open is sold at the close, and no better than at its level.
    const isStopped = pending !== null && pending.maxMark !== null;
    const exit: Reason =
      pending !== null && isStopped ? pending : { code: closing.isLate ? 'late_price' : 'session_close', facts: {} };
    sell(position, { mark: worse(closing.mark, pending?.maxMark ?? null), closedAtMs: closing.atMs, exit });
  }
  return { capital, trades, waits };
}

/** A request awaiting the next open; for a stop, the highest mark it may be sold at. */
type PendingOrder = Reason & { readonly maxMark: bigint | null };
type CandleOutcome = { readonly position: Position; readonly pending: PendingOrder | null };

const worse = (mark: string, maxMark: bigint | null): string =>
  maxMark !== null && maxMark < parsePrice(mark) ? formatPrice(maxMark) : mark;

type Sale = { readonly mark: string; readonly closedAtMs: number; readonly exit: Reason };

/**
 * Applies a candle to an open position. Its open may gap past a stop, which is then sold at no more than that price;
 * afterwards its extremes may trigger one, in the worse of the two orders. The open at which it was bought triggers
 * nothing.
 */
function applyCandle(before: Position, candle: StrategyCandle): CandleOutcome {
  const [open, low, high] = [candle.open, candle.low, candle.high].map((price) => parsePrice(decimalText(price))) as [
    bigint,
    bigint,
    bigint,
  ];
  const position = { ...before, highest: high > before.highest ? high : before.highest };
  if (before.openedAtMs < candle.atMs) {
    const gapped = findTriggered(before.levels, { low: open, high: open }, before.highest);
    if (gapped !== null) return { position, pending: toPending(gapped, open) };
  }
  const top = open > before.highest ? open : before.highest;
  const triggered = findTriggered(before.levels, { low, high }, top);
  return { position, pending: triggered && toPending(triggered, triggered.mark) };
}

function toPending({ code, mark }: Triggered, price: bigint): PendingOrder {
  const maxMark = price < mark ? price : mark;
  return { code, facts: { price: Number(formatPrice(maxMark)) }, maxMark };
}

/** Gains stay in with compounding; losses always do. */
const addResult = ({ principal, gains }: Capital, result: bigint, compounding: boolean): Capital =>
  compounding || result < 0n ? { principal: principal + result, gains } : { principal, gains: gains + result };

const isStop = (code: ReasonCode) => code === 'stop_loss' || code === 'take_profit' || code === 'trailing_stop';

/** Conditions under which the engine does not run the strategy at all. */
function refuseEntry(capital: Capital, hasStopped: boolean, minimum: bigint): Decision | undefined {
  if (hasStopped) return { action: 'wait', reason: 'stopped_today', facts: {} };
  if (capital.principal < minimum)
    return { action: 'wait', reason: 'under_minimum', facts: { minimum: toDollars(minimum) } };
  return undefined;
}

function addWait(waits: Map<ReasonCode, Waits>, { reason, facts }: Decision, atMs: number): void {
  waits.set(reason, { count: (waits.get(reason)?.count ?? 0) + 1, atMs, facts });
}

function buy(order: AssetOrder, amount: bigint, candle: StrategyCandle, { code, facts }: PendingOrder): Position {
  const mark = decimalText(candle.open);
  const openPrice = buyPrice(mark, order.spreadBps);
  return {
    openedAtMs: candle.atMs,
    amount,
    fee: tradeFee(amount, order.rates.tradeBps),
    openPrice,
    entry: { code, facts },
    levels: stopLevels(openPrice, order.stops),
    highest: parsePrice(mark),
  };
}

function finish(
  order: AssetOrder,
  day: string,
  { openedAtMs, amount, fee, openPrice, entry }: Position,
  { mark, closedAtMs, exit: { code, facts } }: Sale,
): SimulatedTrade {
  const closePrice = sellPrice(mark, order.spreadBps);
  const { performanceBps } = order.rates;
  const { gross, performanceFee, result } = settle({ amount, fee, openPrice, closePrice, performanceBps });
  return {
    symbol: order.symbol,
    day,
    amount,
    fee,
    openedAtMs,
    openPrice,
    entry,
    closedAtMs,
    closePrice,
    exit: { code, facts },
    gross,
    performanceFee,
    result,
  };
}
