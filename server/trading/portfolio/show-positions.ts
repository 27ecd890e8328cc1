import { toDollars } from '#contract/money.ts';
import type { Position } from '#contract/trading/portfolio.ts';
import type { Asset } from '#server/market/index.ts';
import { sellPrice } from '../core/price.ts';
import { settle } from '../core/settlement.ts';
import { showTrade, type View } from '../orders/show-trade.ts';
import type { TradeRow } from '../orders/trade-sql.ts';

type Spreads = ReadonlyMap<string, number>;

export const spreadsOf = (assets: readonly Asset[]): Spreads =>
  new Map(assets.map(({ symbol, spreadBps }) => [symbol, spreadBps]));

/** An open trade with the distance from its mark to each stop; null for a missing stop, or without a price. */
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
  const performanceBps = session?.performanceBps;
  if (mark === undefined || spreadBps === undefined || performanceBps === undefined) return undefined;
  if (row.fee === null || row.open_price === null) return undefined;
  return { amount: row.amount, fee: row.fee, openPrice: row.open_price, mark, spreadBps, performanceBps };
}

/** An open trade and its asset's current mark; prices as decimal text, money in micros. */
export type OpenPosition = {
  readonly amount: bigint;
  readonly fee: bigint;
  readonly openPrice: string;
  readonly mark: string;
  readonly spreadBps: number;
  readonly performanceBps: number;
};

/** `percent` of the current mark, `result` of a sale at the level, `difference` from the result of a sale now. */
export type StopDistance = { readonly percent: number; readonly result: bigint; readonly difference: bigint };

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
