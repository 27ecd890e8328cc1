import { dollarsOrNull, toDollars } from '#contract/money.ts';
import type { Trade } from '#contract/trading/trading.ts';
import type { Db } from '#server/db/connect.ts';
import { listAssets } from '#server/market/index.ts';
import { Exact, sellPrice } from '../core/price.ts';
import { type Settlement, settle } from '../core/settlement.ts';
import { type High, highestSince, stopLossPrice, toPercent } from '../core/stops/stops.ts';
import { findCurrentTerms, type SessionTerms } from '../session/session-sql.ts';
import { listHighWater } from '../stops/stop-sql.ts';
import type { TradeRow } from './trade-sql.ts';

/** `mark` is the market's; `sell` is the mark less half the spread. */
export type Quote = { readonly mark: string; readonly sell: string };
export type Quotes = ReadonlyMap<string, Quote>;

/** What open trades are valued with: their session, current sell prices, and the highs of trailing stops. */
export type View = {
  readonly session: SessionTerms | undefined;
  readonly quotes: Quotes;
  readonly highs: readonly High[];
};

export const emptyView: View = { session: undefined, quotes: new Map(), highs: [] };

/** Assets without a price yet are omitted: unknown is not zero. */
export async function readQuotes(db: Db): Promise<Quotes> {
  const assets = await listAssets(db);
  return new Map(
    assets.flatMap(({ symbol, mark, spreadBps }) =>
      mark === null ? [] : [[symbol, { mark: mark.price, sell: sellPrice(mark.price, spreadBps) }] as const],
    ),
  );
}

export async function readView(db: Db): Promise<View> {
  const [session, quotes, highs] = await Promise.all([findCurrentTerms(db), readQuotes(db), listHighWater(db)]);
  return { session, quotes, highs };
}

/** The trade as its member sees it (contract/trading/trade.ts). */
export function showTrade(row: TradeRow, view: View): Trade {
  const isOpen = row.state === 'open';
  return {
    id: row.id.toString(),
    symbol: row.symbol,
    wallet_type: row.wallet,
    plan_id: row.plan_id?.toString() ?? null,
    amount: toDollars(row.amount),
    fee: dollarsOrNull(row.fee),
    state: shownState(row.state, row.is_opening, view.session?.state === 'settling'),
    placed_at: row.placed_at.toISOString(),
    opened_at: row.opened_at?.toISOString() ?? null,
    open_price: numberOrNull(row.open_price),
    closed_at: row.closed_at?.toISOString() ?? null,
    close_price: numberOrNull(row.close_price),
    close_reason: row.close_reason,
    cancel_reason: row.cancel_reason,
    gross: dollarsOrNull(row.gross),
    performance_fee: dollarsOrNull(row.performance_fee),
    result: dollarsOrNull(row.result),
    stops: showStops(row, view),
    execution: showExecution(row.execution),
    close_execution: showExecution(row.close_execution),
    closing: isOpen && isBeingSold(row),
    closing_cause: isOpen && !row.carried ? row.close_cause : null,
    live: isOpen ? showLive(row, view) : null,
  };
}

/** Whether the sale of an open trade was requested, or goes on from an earlier session. */
export const isBeingSold = (row: TradeRow): boolean => row.close_requested_at !== null || row.carried;

/** A queued trade in an unfinished batch is `opening`; an open trade of a settling session is `settling`. */
export function shownState(state: TradeRow['state'], isOpening: boolean, isSettling: boolean): Trade['state'] {
  if (isOpening) return 'opening';
  return state === 'open' && isSettling ? 'settling' : state;
}

/** The components of the price: the exchange's fill, its fee, and the markup. */
const showExecution = (price: TradeRow['execution']): Trade['execution'] =>
  price && {
    fill_price: Number(price.fill),
    exchange_fee: Number(new Exact(price.net).minus(price.fill).abs().toFixed(12)),
    markup: Number(new Exact(price.price).minus(price.net).abs().toFixed(12)),
  };

function showStops(row: TradeRow, view: View): Trade['stops'] {
  const permille = row.trailing_stop_permille;
  const highest =
    row.state === 'open' && row.trailing_since && highestSince(view.highs, row.symbol, row.trailing_since);
  return {
    stop_loss: toPercent(row.stop_loss_permille),
    take_profit: toPercent(row.take_profit_permille),
    trailing_stop: toPercent(permille),
    stop_loss_price: numberOrNull(row.stop_loss_price),
    take_profit_price: numberOrNull(row.take_profit_price),
    trailing_stop_price: permille !== null && highest ? Number(stopLossPrice(highest, permille)) : null,
  };
}

function showLive(row: TradeRow, view: View): Trade['live'] {
  const quote = view.quotes.get(row.symbol);
  const now = quote && view.session && settleAt(row, quote, view.session);
  return quote && now ? { price: Number(quote.mark), result: toDollars(now.result) } : null;
}

/** The value of an open trade if it were sold now. */
function settleAt(row: TradeRow, quote: Quote, session: SessionTerms): Settlement | undefined {
  if (row.fee === null || row.open_price === null) return undefined;
  return settle({
    amount: row.amount,
    fee: row.fee,
    openPrice: row.open_price,
    closePrice: quote.sell,
    performanceBps: session.performanceBps,
  });
}

const numberOrNull = (price: string | null): number | null => (price === null ? null : Number(price));
