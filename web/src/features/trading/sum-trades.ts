import type { Trade } from '#contract/trading/trading.ts';

import { sumDollars } from '../../ui/format/number.ts';

export type TradeSum = {
  readonly amount: number;
  readonly fee: number;
  /** Null if any trade has no price: a partial sum would mislead. */
  readonly result: number | null;
  /** Average entry price, weighted by quantity. */
  readonly entry: number | null;
};

/** Open trades as one position. Two of 100 and 300 with results +1 and −3 are 400 with −2. */
export function sumTrades(trades: readonly Trade[]): TradeSum {
  const results = trades.flatMap(({ live }) => (live === null ? [] : [live.result]));
  return {
    amount: sumDollars(trades.map((trade) => trade.amount)),
    fee: sumDollars(trades.map((trade) => trade.fee ?? 0)),
    result: trades.length > 0 && results.length === trades.length ? sumDollars(results) : null,
    entry: averageEntry(trades),
  };
}

/** Positions buy `position ÷ price` coins each; the average entry is all dollars over all coins. */
function averageEntry(trades: readonly Trade[]): number | null {
  let dollars = 0;
  let coins = 0;
  for (const trade of trades) {
    if (trade.open_price === null) return null;
    const position = trade.amount - (trade.fee ?? 0);
    dollars += position;
    coins += position / trade.open_price;
  }
  return coins === 0 ? null : dollars / coins;
}
