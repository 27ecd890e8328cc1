import { toDollars } from '#contract/money.ts';
import { marketPairs } from '#contract/rules.ts';
import type { Portfolio } from '#contract/trading.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { getBalances, listOutsideMovements } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { type Allocated, allocate } from './core/allocation.ts';
import { putInAt } from './core/put-in.ts';
import { getNetWorth, type NetWorth } from './get-net-worth.ts';
import { findTotals, listDays, listEquity, listPlaced, type Totals } from './portfolio-sql.ts';
import { findLastFigures } from './session-sql.ts';
import { readView, showTrade, type View } from './show-trade.ts';
import { listTradeRows, listTradesById } from './trade-sql.ts';

/** A year of sessions: what a chart can show. Totals are those of the whole life of the account. */
const SESSIONS_SHOWN = 366;
const POSITIONS_SHOWN = 100;

/** Everything the portfolio page shows (product.md section 3, Portfolio). */
export async function getPortfolio({ db }: Context, memberId: bigint): Promise<Portfolio> {
  const view = await readView(db);
  const [netWorth, open, allocation, points, movements, days, totals, marketAt] = await Promise.all([
    getNetWorth(db, memberId, view.quotes),
    listTradeRows(db, { memberId, states: ['open'], symbol: undefined, before: undefined, limit: POSITIONS_SHOWN }),
    readAllocation(db, memberId),
    listEquity(db, memberId, SESSIONS_SHOWN),
    listOutsideMovements(db, memberId),
    listDays(db, memberId, SESSIONS_SHOWN),
    findTotals(db, memberId),
    getMarketTime(db),
  ]);
  const equity = [...points, { at: marketAt, value: netWorth.valueMicros }];
  const putIn = putInAt(
    movements,
    equity.map(({ at }) => at),
  );
  return {
    net_worth: toDollars(netWorth.valueMicros),
    positions: open.map((row) => showTrade(row, view)),
    allocation: allocate([...allocation, ...inPositions(netWorth)]).map((part) => ({
      ...part,
      value: toDollars(part.value),
    })),
    equity: equity.map(({ at, value }, index) => ({
      time: at.toISOString(),
      value: toDollars(value),
      put_in: toDollars(putIn[index] as bigint),
    })),
    realised_by_day: days.map(({ day, result, trades }) => ({ day, result: toDollars(result), trades })),
    totals: await showTotals(db, memberId, totals, netWorth, view),
  };
}

/** Money that is in no position: the wallets, what waits for its opening, plans and withdrawals under way. */
async function readAllocation(db: Db, memberId: bigint): Promise<Allocated[]> {
  const [balances, placed] = await Promise.all([getBalances(db, memberId), listPlaced(db, memberId)]);
  const queued = placed.filter(({ state }) => state === 'queued').reduce((sum, { amount }) => sum + amount, 0n);
  return [
    { label: 'Primary wallet', value: balances.primary },
    { label: 'Profit wallet', value: balances.profit },
    { label: 'Queued trades', value: queued },
    { label: 'Investment', value: balances.investment },
    { label: 'On hold', value: balances.withdrawal_hold },
  ];
}

function inPositions({ positions }: NetWorth): Allocated[] {
  return positions.map(({ symbol, cost, change }) => ({
    label: marketPairs.find((pair) => pair.displayName.startsWith(`${symbol}/`))?.displayName ?? symbol,
    value: cost + change,
  }));
}

async function showTotals(
  db: Db,
  memberId: bigint,
  totals: Totals,
  netWorth: NetWorth,
  view: View,
): Promise<Portfolio['totals']> {
  const ids = [totals.bestTradeId, totals.worstTradeId].filter((id) => id !== null);
  const [extremes, figures] = await Promise.all([listTradesById(db, memberId, ids), findLastFigures(db)]);
  const show = (id: bigint | null) => {
    const row = extremes.find((trade) => trade.id === id);
    return row === undefined ? null : showTrade(row, view);
  };
  const openFees = netWorth.positions.reduce((sum, { fees }) => sum + fees, 0n);
  return {
    realised: toDollars(totals.result),
    fees_paid: toDollars(totals.fees + openFees),
    trades: Number(totals.trades),
    best: show(totals.bestTradeId),
    worst: show(totals.worstTradeId),
    winning: Number(totals.winning),
    losing: Number(totals.losing),
    negative_members:
      figures === undefined || figures.traded === 0n ? null : Number(figures.negative) / Number(figures.traded),
  };
}
