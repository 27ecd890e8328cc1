import { toDollars } from '#contract/money.ts';
import type { Position } from '#contract/trading/portfolio.ts';
import type { Asset } from '#server/market/index.ts';
import { type OpenPosition, stopDistance } from '../core/stops/stop-distance.ts';
import { showTrade, type View } from '../orders/show-trade.ts';
import type { TradeRow } from '../orders/trade-sql.ts';

type Spreads = ReadonlyMap<string, number>;

export const spreadsOf = (assets: readonly Asset[]): Spreads =>
  new Map(assets.map(({ symbol, spreadBps }) => [symbol, spreadBps]));

/** An open trade with the way from its mark to each of its stops; null for a stop it does not have, or without a price. */
export function showPosition(row: TradeRow, view: View, spreads: Spreads): Position {
  const trade = showTrade(row, view);
  const open = findOpen(row, view, spreads);
  const distance = (level: number | null) => {
    if (level === null || open === undefined) return null;
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
  const performanceBps = session?.performanceBps ?? null;
  if (mark === undefined || spreadBps === undefined || performanceBps === null) return undefined;
  if (row.fee === null || row.open_price === null) return undefined;
  return { amount: row.amount, fee: row.fee, openPrice: row.open_price, mark, spreadBps, performanceBps };
}
