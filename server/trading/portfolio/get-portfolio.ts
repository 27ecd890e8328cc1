import { toDollars, toTotal } from '#contract/money.ts';
import { marketPairs } from '#contract/rules.ts';
import { english } from '#contract/texts.ts';
import type { Portfolio, Position } from '#contract/trading/portfolio.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type Asset, getMarketTime, listAssets } from '#server/market/index.ts';
import { sellPrice } from '../core/price.ts';
import { settle } from '../core/settlement.ts';
import { readView, showTrade, type View } from '../orders/show-trade.ts';
import { listTradeRows, listTradesById, type TradeRow } from '../orders/trade-sql.ts';
import { findLastFigures } from '../session/session-sql.ts';
import { type MoneySums, readMoneySums, showSummary } from './get-wallet.ts';
import { LruCache } from './lru-cache.ts';
import {
  type AssetSums,
  type Day,
  listAssetSums,
  listDays,
  listPlanWorth,
  type PlanWorth,
  type ResultSums,
} from './portfolio-sql.ts';
import { readEquity } from './read-equity.ts';

/** A year of sessions, the most a chart can show. Totals cover the whole life of the account. */
const DAYS_SHOWN = 366;
const POSITIONS_SHOWN = 100;
const PLANS_SHOWN = 100;

/**
 * Everything on the portfolio page (docs/trading.md, "Portfolio figures"). Prices are current; everything else comes
 * from one database snapshot, so the figures add up while a session settles.
 */
export async function getPortfolio({ db }: Context, memberId: bigint): Promise<Portfolio> {
  const [view, assets] = await Promise.all([readView(db), listAssets(db)]);
  const spreads = spreadsOf(assets);
  return inSnapshot(db, async (tx) => {
    const sums = await readMoneySums(tx, memberId, view.quotes);
    const { totals, netWorth } = sums;
    const now = { at: await getMarketTime(tx), value: netWorth.valueMicros };
    const { equity, drawdown } = await readEquity(db, tx, memberId, now, view.quotes);
    const open = await listTradeRows(tx, { memberId, states: ['open'], limit: POSITIONS_SHOWN });
    const extremes = await listTradesById(
      tx,
      memberId,
      [totals.bestTradeId, totals.worstTradeId].filter((id) => id !== null),
    );
    return {
      net_worth: toDollars(netWorth.valueMicros),
      summary: showSummary(sums),
      result: showResult(sums),
      positions: open.map((row) => showPosition(row, view, spreads)),
      plans: (await listPlanWorth(tx, memberId, view.quotes, PLANS_SHOWN)).map(showPlan),
      in_plans: toDollars(sumPlans(sums)),
      allocation: showAllocation(sums),
      equity,
      drawdown,
      realised_by_day: (await listDays(tx, memberId, DAYS_SHOWN)).map(showDay),
      by_asset: (await readAssetSums(db, tx, memberId, totals.trades)).map(showAsset),
      totals: { ...showTotals(sums, extremes, view), negative_members: showShare(await findLastFigures(tx)) },
    };
  });
}

/** Net worth less net deposits, and its components. */
function showResult({ totals, netWorth, income, corrections, deposited, withdrawn }: MoneySums): Portfolio['result'] {
  const open = netWorth.positions.reduce((sum, { change, fees }) => sum + change - fees, 0n);
  return {
    total: toTotal(netWorth.valueMicros - deposited + withdrawn),
    realised: toTotal(totals.result),
    open: toDollars(open),
    income: toTotal(income),
    corrections: toTotal(corrections),
  };
}

/** Plans' cash, their queued amounts, and the current sale value of their open trades. */
function sumPlans({ balances, placed, netWorth }: MoneySums): bigint {
  const queued = placed.filter(({ wallet, state }) => wallet === 'investment' && state === 'queued');
  const parts = [...queued.map(({ amount }) => amount), ...netWorth.positions.map(({ inPlans }) => inPlans)];
  return parts.reduce((sum, part) => sum + part, balances.investment);
}

/** Uninvested money first: wallets, queued trades, plans between trades, pending withdrawals. */
function showAllocation({ balances, placed, netWorth }: MoneySums): Portfolio['allocation'] {
  const queued = placed.filter(({ state }) => state === 'queued').reduce((sum, { amount }) => sum + amount, 0n);
  const none = { symbol: null, trades: 0, plans: 0 };
  const parts = allocate<Omit<Portfolio['allocation'][number], 'value' | 'share'> & { value: bigint }>([
    { kind: 'wallet', label: english.t`Primary wallet`, value: balances.primary, ...none },
    { kind: 'wallet', label: english.t`Profit wallet`, value: balances.profit, ...none },
    { kind: 'queued', label: english.t`Queued trades`, value: queued, ...none },
    { kind: 'plan', label: english.t`Uninvested plan balance`, value: balances.investment, ...none },
    { kind: 'hold', label: english.t`On hold`, value: balances.withdrawal_hold, ...none },
    ...netWorth.positions.map(({ symbol, cost, change, trades, plans }) => ({
      kind: 'asset' as const,
      label: nameOf(symbol),
      symbol,
      trades,
      plans,
      value: cost + change,
    })),
  ]);
  return parts.map((part) => ({ ...part, value: toDollars(part.value) }));
}

const nameOf = (symbol: string): string =>
  marketPairs.find((pair) => pair.displayName.startsWith(`${symbol}/`))?.displayName ?? symbol;

const showPlan = ({ id, amount, value, result, trade_id, ...plan }: PlanWorth): Portfolio['plans'][number] => ({
  ...plan,
  id: id.toString(),
  amount: toDollars(amount),
  value: toDollars(value),
  result: toTotal(result),
  trade_id: trade_id?.toString() ?? null,
});

const showSums = ({ trades, winning, losing, volume, result, tradeFees, performanceFees }: ResultSums) => ({
  trades,
  winning,
  losing,
  volume: toTotal(volume),
  result: toTotal(result),
  trade_fees: toTotal(tradeFees),
  performance_fees: toTotal(performanceFees),
});
const showDay = (sums: Day) => ({ day: sums.day, ...showSums(sums) });
const showAsset = (sums: AssetSums) => ({ symbol: sums.symbol, ...showSums(sums) });

function showTotals(
  { totals, openFees, netWorth }: MoneySums,
  extremes: readonly TradeRow[],
  view: View,
): Omit<Portfolio['totals'], 'negative_members'> {
  const show = (id: bigint | null) => {
    const row = extremes.find((trade) => trade.id === id);
    return row === undefined ? null : showTrade(row, view);
  };
  const tradeFees = totals.tradeFees + openFees;
  return {
    realised: toTotal(totals.result),
    fees_paid: toTotal(tradeFees + totals.performanceFees),
    trade_fees: toTotal(tradeFees),
    performance_fees: toTotal(totals.performanceFees),
    trades: Number(totals.trades),
    open: netWorth.positions.reduce((sum, { trades, plans }) => sum + trades + plans, 0),
    best: show(totals.bestTradeId),
    worst: show(totals.worstTradeId),
    winning: Number(totals.winning),
    losing: Number(totals.losing),
  };
}

const showShare = (figures: { traded: bigint; negative: bigint } | undefined): number | null =>
  figures === undefined || figures.traded === 0n ? null : Number(figures.negative) / Number(figures.traded);

/** A part of a member's money, in micros. */
export type Allocated = { readonly value: bigint };

const SHARE_DECIMALS = 6;
const ONE = 10n ** BigInt(SHARE_DECIMALS);

/**
 * The non-empty parts, largest first, each with its share of the total: 0 to 1, truncated to 6 decimals so that shares
 * never sum to more than 1.
 *
 * 750 in the primary wallet and 250 in btc: shares 0.75 and 0.25.
 */
export function allocate<Part extends Allocated>(parts: readonly Part[]): (Part & { readonly share: number })[] {
  const filled = parts.filter((part) => part.value > 0n);
  const whole = filled.reduce((sum, part) => sum + part.value, 0n);
  return filled
    .toSorted((a, b) => (a.value === b.value ? 0 : a.value > b.value ? -1 : 1))
    .map((part) => ({ ...part, share: Number((part.value * ONE) / whole) / Number(ONE) }));
}

const MAX_CACHED_MEMBERS = 2000;
const cache = new LruCache<bigint, { readonly trades: bigint; readonly sums: AssetSums[] }>(MAX_CACHED_MEMBERS);

/**
 * Sums of a member's settled trades by asset. Settled trades never change, so the sums are read again only when their
 * number grows.
 *
 * @param db the database of the transaction, which keys the cache
 * @param trades the member's number of settled trades
 */
async function readAssetSums(db: Db, tx: Tx, memberId: bigint, trades: bigint): Promise<AssetSums[]> {
  const known = cache.get(db, memberId);
  if (known?.trades === trades) return known.sums;
  const sums = await listAssetSums(tx, memberId);
  cache.set(db, memberId, { trades, sums });
  return sums;
}

type Spreads = ReadonlyMap<string, number>;

const spreadsOf = (assets: readonly Asset[]): Spreads =>
  new Map(assets.map(({ symbol, spreadBps }) => [symbol, spreadBps]));

/** An open trade with the distance from its mark to each stop; null for a missing stop, without a price, or while it is being sold. */
function showPosition(row: TradeRow, view: View, spreads: Spreads): Position {
  const trade = showTrade(row, view);
  const open = findOpen(row, view, spreads);
  const distance = (level: number | null) => {
    if (level === null || open === undefined || trade.closing) return null;
    const { percent, result, difference } = stopDistance(open, level.toString());
    return { price: level, percent, result: toDollars(result), dollars: toDollars(difference) };
  };
  return {
    ...trade,
    distances: {
      stop_loss: distance(trade.stops.stop_loss_price),
      take_profit: distance(trade.stops.take_profit_price),
      trailing_stop: distance(trade.stops.trailing_stop_price),
    },
  };
}

function findOpen(row: TradeRow, { session, quotes }: View, spreads: Spreads): OpenPosition | undefined {
  const mark = quotes.get(row.symbol)?.mark;
  const spreadBps = spreads.get(row.symbol);
  const performanceBps = session?.performanceBps;
  if (mark === undefined || spreadBps === undefined || performanceBps === undefined) return undefined;
  if (row.fee === null || row.open_price === null) return undefined;
  return { amount: row.amount, fee: row.fee, openPrice: row.open_price, mark, spreadBps, performanceBps };
}

/** An open trade and its asset's current mark; prices as decimal text, money in micros. */
type OpenPosition = {
  readonly amount: bigint;
  readonly fee: bigint;
  readonly openPrice: string;
  readonly mark: string;
  readonly spreadBps: number;
  readonly performanceBps: number;
};

/** `percent` of the current mark, `result` of a sale at the level, `difference` from the result of a sale now. */
type StopDistance = { readonly percent: number; readonly result: bigint; readonly difference: bigint };

/**
 * The distance of the mark from a stop level, and the result if the trade were sold at exactly that mark. The actual
 * sale is at the first tick after the trigger (docs/product.md, section 3), so this is an estimate, not a promise.
 *
 * 250 dollars, fee 1, bought at 100.05, mark 100, spread 10, stop at 98.049: −1.951 %; sold at 98.049 × 0.9995 it comes
 * to −6.102010, now to −1.248876: 4.853134 less.
 */
export function stopDistance(position: OpenPosition, level: string): StopDistance {
  const result = resultAt(position, level);
  const mark = Number(position.mark);
  return {
    percent: ((Number(level) - mark) / mark) * 100,
    result,
    difference: result - resultAt(position, position.mark),
  };
}

const resultAt = ({ spreadBps, mark: _now, ...trade }: OpenPosition, mark: string): bigint =>
  settle({ ...trade, closePrice: sellPrice(mark, spreadBps) }).result;
