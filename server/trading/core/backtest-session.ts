import { toDollars } from '#contract/money.ts';
import type { ReasonCode, ReasonFacts } from '#contract/strategy.ts';
import { decimalText, type MarketTick, type SessionPrices } from './backtest-prices.ts';
import { findCrossed, hasStops, type StopLevels, stopLevels } from './backtest-stops.ts';
import { buyPrice, parsePrice, sellPrice } from './fill-price.ts';
import { type FeeRates, type Settlement, settle, tradeFee } from './settlement.ts';
import type { StopPermilles } from './stops.ts';
import { type Decision, decideEntry, decideExit, type StrategySetting } from './strategies/index.ts';

/** What is asked of one asset; money in micros. */
export type AssetOrder = {
  readonly symbol: string;
  readonly setting: StrategySetting;
  readonly amount: bigint;
  /** Under it nothing is bought any more. */
  readonly minimum: bigint;
  readonly compounding: boolean;
  readonly stops: StopPermilles;
  readonly rates: FeeRates;
  readonly spreadBps: number;
};

export type Reason = { readonly code: ReasonCode; readonly facts: ReasonFacts };

/** A finished trade; `result` and the rest as `settle` has them. */
export type PlayedTrade = Pick<Settlement, 'gross' | 'performanceFee' | 'result'> & {
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

/** Decisions of one kind that bought nothing: how many, and the last of them. */
export type Waits = { readonly count: number; readonly atMs: number; readonly facts: ReasonFacts };

/** What an asset has between two sessions: the principal that trades, and gains taken out of it. */
export type Held = { readonly principal: bigint; readonly gains: bigint };

export type PlayedSession = {
  readonly held: Held;
  readonly trades: readonly PlayedTrade[];
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
 * Plays one session of one asset by the rules of a live plan (product.md section 3). At each boundary the strategy
 * decides by what has closed; what it asks for is filled at the first tick at or after it, what a stop asks for at the
 * first tick after the crossing, and the close sells the rest. The whole principal is traded each time; a loss reduces
 * it, a gain adds to it only with compounding. After a stop nothing is bought in the session any more.
 *
 * Worked: 250 dollars, session hold, the opening tick 100 and the closing mark 110, spread 10, fees 40 and 1000: bought
 * at 100.05 and sold at 109.945 for N = 249, P = 273.626236…; the gain over 250 is 23.626236, the performance fee
 * 2.362623, the result 21.263613.
 */
export function playSession(order: AssetOrder, before: Held, prices: SessionPrices): PlayedSession {
  const { setting, minimum } = order;
  const { opensAtMs, closesAtMs } = prices;
  let held = before;
  let position: Position | null = null;
  let asked: Reason | null = null;
  let hasStopped = false;
  const trades: PlayedTrade[] = [];
  const waits = new Map<ReasonCode, Waits>();
  const sell = (open: Position, sale: Sale) => {
    const trade = finish(order, prices.day, open, sale);
    trades.push(trade);
    held = addResult(held, trade.result, order.compounding);
    hasStopped ||= isStop(sale.exit.code);
  };

  for (const { atMs, closed, ticks } of prices.boundaries) {
    // What waits for its tick is not decided again.
    if (asked === null) {
      const moment = { atMs, opensAtMs, closesAtMs };
      const decision: Decision =
        position === null
          ? (refuseEntry(held, hasStopped, minimum) ?? decideEntry(setting, closed, moment))
          : decideExit(setting, closed, moment);
      if (decision.action !== 'wait') asked = { code: decision.reason, facts: decision.facts };
      else if (position === null) addWait(waits, decision, atMs);
    }
    for (const tick of ticks) {
      if (asked === null) {
        if (position === null || !hasStops(order.stops)) continue;
        const met: { position: Position; crossed: Reason | null } = meet(position, tick);
        position = met.position;
        asked = met.crossed;
        continue;
      }
      if (position === null) {
        position = buy(order, held.principal, tick, asked);
      } else {
        sell(position, { mark: decimalText(tick.price), closedAtMs: tick.atMs, exit: asked });
        position = null;
      }
      asked = null;
    }
  }
  const { closing } = prices;
  if (position !== null && closing !== null) {
    const exit: Reason = { code: closing.isLate ? 'late_price' : 'session_close', facts: {} };
    sell(position, { mark: closing.mark, closedAtMs: closing.atMs, exit });
  }
  return { held, trades, waits };
}

type Sale = { readonly mark: string; readonly closedAtMs: number; readonly exit: Reason };

/** A tick comes while a position is open: it may be a new high, and it may cross a stop. */
function meet(open: Position, tick: MarketTick): { position: Position; crossed: Reason | null } {
  const mark = parsePrice(decimalText(tick.price));
  const highest = mark > open.highest ? mark : open.highest;
  const crossed = findCrossed(open.levels, mark, highest);
  return {
    position: { ...open, highest },
    crossed: crossed && { code: crossed, facts: { price: tick.price } },
  };
}

/** A gain stays in with compounding; a loss always does. */
const addResult = ({ principal, gains }: Held, result: bigint, compounding: boolean): Held =>
  compounding || result < 0n ? { principal: principal + result, gains } : { principal, gains: gains + result };

const isStop = (code: ReasonCode) => code === 'stop_loss' || code === 'take_profit' || code === 'trailing_stop';

/** What keeps the engine from asking the strategy at all. */
function refuseEntry(held: Held, hasStopped: boolean, minimum: bigint): Decision | undefined {
  if (hasStopped) return { action: 'wait', reason: 'stopped_today', facts: {} };
  if (held.principal < minimum)
    return { action: 'wait', reason: 'under_minimum', facts: { minimum: toDollars(minimum) } };
  return undefined;
}

function addWait(waits: Map<ReasonCode, Waits>, { reason, facts }: Decision, atMs: number): void {
  waits.set(reason, { count: (waits.get(reason)?.count ?? 0) + 1, atMs, facts });
}

function buy(order: AssetOrder, amount: bigint, tick: MarketTick, entry: Reason): Position {
  const mark = decimalText(tick.price);
  const openPrice = buyPrice(mark, order.spreadBps);
  return {
    openedAtMs: tick.atMs,
    amount,
    fee: tradeFee(amount, order.rates.tradeBps),
    openPrice,
    entry,
    levels: stopLevels(openPrice, order.stops),
    highest: parsePrice(mark),
  };
}

function finish(
  order: AssetOrder,
  day: string,
  { openedAtMs, amount, fee, openPrice, entry }: Position,
  { mark, closedAtMs, exit }: Sale,
): PlayedTrade {
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
    exit,
    gross,
    performanceFee,
    result,
  };
}
