import type { CandleInterval } from '#contract/market.ts';
import { dollarsOrNull, toDollars } from '#contract/money.ts';
import { type ReasonCode, type ReasonFacts, reasonWords } from '#contract/trading/strategy.ts';
import type { TradeChart, TradeDetail, TradeFill, TradeTransfer } from '#contract/trading/trade-detail.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { findRow, listRows } from '#server/db/rows.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { listTransfersOf, type ReferencedTransfer } from '#server/ledger/index.ts';
import { findSessionSpread, getMarketTime, listCandles, listHeldTicks } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { findFillMark, plain } from '../core/fill-mark.ts';
import { Exact } from '../core/price.ts';
import { coinsBought, settle } from '../core/settlement.ts';
import { tradeEvents } from '../core/trade-events.ts';
import { readClosingTwap, readMarks } from '../portfolio/read-marks.ts';
import { readView, showTrade, type View } from './show-trade.ts';
import { listTradesById, openedOn, ratedOn, soldWith, type TradeRow } from './trade-sql.ts';

/**
 * One trade of a member with everything behind its figures.
 *
 * @throws Refused trade_not_found, also for another member's trade
 */
export async function getTrade({ db }: Context, memberId: bigint, id: bigint): Promise<TradeDetail> {
  const view = await readView(db);
  return inSnapshot(db, async (tx) => {
    const [row] = await listTradesById(tx, memberId, [id]);
    const terms = row && (await findTradeTerms(tx, memberId, id));
    if (row === undefined || terms === undefined) throw new Refused('trade_not_found');
    const marketAt = await getMarketTime(tx);
    const events = tradeEvents(lifeOf(row, terms));
    const marks = await readMarks(
      tx,
      row.symbol,
      events.map(({ at }) => at),
    );
    const net = row.fee === null ? null : row.amount - row.fee;
    return {
      trade: showTrade(row, view),
      rates: ratesOf(terms),
      ...(await showFills(tx, row, terms, marks.exact)),
      average:
        terms.marked_at && terms.mark && row.execution === null
          ? await readClosingTwap(tx, row.symbol, { ...terms, markedAt: terms.marked_at, mark: terms.mark })
          : null,
      net: dollarsOrNull(net),
      quantity: net === null || row.open_price === null ? null : plain(coinsBought(net, row.open_price)),
      proceeds: dollarsOrNull(proceedsOf(row, view, terms)),
      events: events.map(({ kind, at, words }) => ({
        kind,
        at: at.toISOString(),
        mark: marks.around(at),
        words,
      })),
      decisions: (await listTradeDecisions(tx, id)).map(({ at, side, reason, facts }) => ({
        at: at.toISOString(),
        side,
        reason,
        words: reasonWords(reason, facts),
      })),
      transfers: (await listTransfersOf(tx, { keyPrefix: `trade/${id}`, reference: `trade ${id}` }))
        .filter(isOfTrade)
        .map(showTransfer),
      chart: await readTradeChart(tx, row, marketAt),
    };
  });
}

const ratesOf = ({ trade_bps, performance_bps }: TradeTerms): TradeDetail['rates'] =>
  trade_bps === null || performance_bps === null ? null : { trade_bps, performance_bps };

const lifeOf = (row: TradeRow, terms: TradeTerms) => ({
  requestedAt: row.requested_at,
  openedAt: row.opened_at,
  stopsSince: terms.stops_since,
  stops: {
    stopLoss: row.stop_loss_permille,
    takeProfit: row.take_profit_permille,
    trailingStop: row.trailing_stop_permille,
  },
  closeRequestedAt: row.close_requested_at,
  closeCause: row.close_cause,
  closedAt: row.closed_at,
  closeReason: row.close_reason,
  isSoldAtLevel: terms.sold_at_level,
  cancelledAt: terms.cancelled_at,
  cancelReason: row.cancel_reason,
  isOfPlan: row.plan_id !== null,
  isAtExchange: row.execution !== null,
});

/** Each fill at its stored price, with the mark and spread behind it. */
async function showFills(
  tx: Db,
  row: TradeRow,
  terms: TradeTerms,
  markAt: (at: Date) => string | undefined,
): Promise<Pick<TradeDetail, 'opening' | 'closing'>> {
  const { opened_on: day } = terms;
  const spreadBps = (day === null ? undefined : await findSessionSpread(tx, row.symbol, day)) ?? 0;
  const show = (
    side: 'buy' | 'sell',
    at: Date | null,
    price: string | null,
    known: string | undefined,
    made: TradeRow['execution'],
  ): TradeFill | null => {
    if (at === null || price === null) return null;
    const found = findFillMark(side, price, { mark: known, spreadBps });
    return {
      at: at.toISOString(),
      mark: found.mark,
      spread_bps: found.spreadBps,
      price: plain(price),
      mark_source: found.source,
      execution: made && {
        fill: plain(made.fill),
        exchange_fee: difference(made.net, made.fill),
        markup: difference(made.price, made.net),
      },
    };
  };
  const soldAt = () =>
    terms.sold_at_level || row.closed_at === null ? undefined : (terms.mark ?? markAt(row.closed_at));
  return {
    opening: show(
      'buy',
      row.opened_at,
      row.open_price,
      row.opened_at ? markAt(row.opened_at) : undefined,
      row.execution,
    ),
    closing: show('sell', row.closed_at, row.close_price, soldAt(), row.close_execution),
  };
}

/** The exact difference of two prices. */
const difference = (one: string, other: string): string => new Exact(one).minus(other).abs().toFixed();

/** Proceeds: the sale of a settled trade, or the current sale value of an open one. */
function proceedsOf(row: TradeRow, { quotes }: View, { performance_bps }: TradeTerms): bigint | null {
  if (row.fee === null || row.open_price === null) return null;
  if (row.gross !== null) return row.amount - row.fee + row.gross;
  const quote = quotes.get(row.symbol);
  if (quote === undefined || performance_bps === null) return null;
  const { amount, fee, open_price: openPrice } = row;
  return settle({ amount, fee, openPrice, closePrice: quote.sell, performanceBps: performance_bps }).proceeds;
}

/** The paper venue is funded from the gateway, which is the house's own; a trade alone in its batch has that under its key. */
const isOfTrade = ({ from, to }: ReferencedTransfer): boolean => from !== 'gateway' && to !== 'gateway';

const showTransfer = (transfer: ReferencedTransfer): TradeTransfer => ({
  id: transfer.id.toString(),
  from: transfer.from,
  to: transfer.to,
  amount: toDollars(transfer.amountMicros),
  reason: transfer.reason,
  market_at: transfer.marketAt.toISOString(),
  created_at: transfer.createdAt.toISOString(),
  from_balance_after: dollarsOrNull(transfer.fromBalanceAfterMicros),
  to_balance_after: dollarsOrNull(transfer.toBalanceAfterMicros),
});

/** The terms of the trade's session, and the closing mark of its asset. */
export type TradeTerms = {
  readonly cancelled_at: Date | null;
  /** The session that it was opened in and sold with: `2026-03-04`, even if it was carried over; null while it is queued, and when it was cancelled. */
  readonly opened_on: string | null;
  /** Ticks after this market time can trigger its stops. */
  readonly stops_since: Date | null;
  readonly trade_bps: number | null;
  readonly performance_bps: number | null;
  readonly mark: string | null;
  readonly is_late: boolean | null;
  readonly marked_at: Date | null;
  /** Whether a stop was sold at its level rather than at a mark. */
  readonly sold_at_level: boolean;
};

/** Undefined when the trade does not belong to this member. */
const findTradeTerms = (db: Db, memberId: bigint, id: bigint) =>
  findRow(db)<TradeTerms>`
    select t.cancelled_at, o.day::text as opened_on, t.stops_since, r.trade_fee_bps as trade_bps, s.performance_fee_bps as performance_bps,
      m.mark::text as mark, m.is_late, m.marked_at,
      coalesce(t.close_price = t.close_limit, false) as sold_at_level
    from trading.trade t
    left join trading.session s on s.day = t.session_day
    left join trading.session o on o.day = coalesce(${soldWith}, ${openedOn})
    left join trading.session r on r.day = ${ratedOn}
    left join trading.closing_mark m on m.session_day = o.day and m.symbol = t.symbol
      and t.close_reason in ('session_close', 'late_price')
    where t.id = ${id} and t.member_id = ${memberId}`;

export type TradeDecision = {
  readonly at: Date;
  readonly side: 'entry' | 'exit';
  readonly reason: ReasonCode;
  readonly facts: ReasonFacts;
};

/**
 * The strategy's decisions behind a plan's trade, dated at the end of the candle they evaluated or just before: at most one
 * to enter and one to exit. Each is the first of a range of the index; together, all decisions of the strategy would be read.
 */
export const listTradeDecisions = (db: Db, id: bigint) =>
  listRows(db)<TradeDecision>`
    select d.at, d.side, d.reason, d.facts
    from trading.trade t
    join trading.plan p on p.id = t.plan_id
    cross join lateral (values
      ('entry', 'enter', t.requested_at),
      ('exit', 'exit', case when t.close_cause = 'strategy' then t.close_requested_at end)) as half(side, action, asked_at)
    cross join lateral (
      select * from trading.decision d
      where d.symbol = p.symbol and d.strategy = p.strategy and d.params = p.params and d.side = half.side
        and d.action = half.action and d.at between half.asked_at and half.asked_at + interval '1 second'
      order by d.at limit 1) as d
    where t.id = ${id}
    order by d.at, d.side`;

const MINUTE_MS = 60_000;
/** Padding before and after the life of the trade. */
const PADDING_MS = 5 * MINUTE_MS;
/** Maximum time shown before the opening: hours in the queue would leave no room for the trade itself. */
const MAX_QUEUE_SHOWN_MS = 60 * MINUTE_MS;
/** A longer gap means that market time was skipped, so ticks would not cover the whole life. */
const MAX_GAP_MS = 15 * MINUTE_MS;
const MAX_TICKS = 3000;
const intervals: readonly [CandleInterval, number][] = [
  ['1m', MINUTE_MS],
  ['5m', 5 * MINUTE_MS],
  ['15m', 15 * MINUTE_MS],
  ['1h', 60 * MINUTE_MS],
  ['1d', 24 * 60 * MINUTE_MS],
];

type Period = { readonly from: Date; readonly to: Date };

/** Prices over the life of a trade: ticks while all are stored, otherwise the shortest candles that cover it. */
async function readTradeChart(db: Db, trade: TradeRow, marketAt: Date): Promise<TradeChart> {
  const period = periodOf(trade, marketAt);
  return (await readTicks(db, trade.symbol, period)) ?? (await readCandles(db, trade.symbol, period));
}

function periodOf({ requested_at: placed, opened_at: opened, closed_at: closed }: TradeRow, marketAt: Date): Period {
  const begins = Math.max(placed.getTime(), (opened ?? marketAt).getTime() - MAX_QUEUE_SHOWN_MS);
  const ends = closed === null ? marketAt.getTime() : Math.min(closed.getTime() + PADDING_MS, marketAt.getTime());
  return { from: new Date(begins - PADDING_MS), to: new Date(Math.max(ends, begins) + 1) };
}

async function readTicks(db: Db, symbol: string, { from, to }: Period): Promise<TradeChart | undefined> {
  const ticks = await listHeldTicks(db, symbol, { from, to, limit: MAX_TICKS });
  const instants = [from.getTime(), ...ticks.map(({ atMs }) => Math.max(atMs, from.getTime())), to.getTime()];
  const hasGap = instants.some((atMs, index) => atMs - (instants[index - 1] ?? atMs) >= MAX_GAP_MS);
  if (hasGap || ticks.length < 2 || ticks.length >= MAX_TICKS) return undefined;
  return {
    kind: 'ticks',
    ticks: ticks.map(({ price, atMs }) => ({ time: new Date(atMs).toISOString(), price: Number(price) })),
  };
}

async function readCandles(db: Db, symbol: string, { from, to }: Period): Promise<TradeChart> {
  let found: TradeChart = { kind: 'candles', interval: '1d', candles: [] };
  for (const [interval, stepMs] of intervals) {
    const opens = new Date(Math.floor(from.getTime() / stepMs) * stepMs);
    const candles = await listCandles(db, { symbol, interval, from: opens, to });
    found = { kind: 'candles', interval, candles };
    const first = candles[0];
    // Short candles are retained for three days only and limited in number; longer ones cover the whole life.
    if (first !== undefined && Date.parse(first.time) - from.getTime() < Math.max(stepMs, MAX_GAP_MS)) return found;
  }
  return found;
}
