import type { BacktestOrder, BacktestResult } from '#contract/trading/backtest.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { openStoredMarket } from './backtest-markets.ts';
import { playBacktest } from './play-backtest.ts';

/** Whose backtest this process is running now. */
const running = new WeakMap<Db, Set<bigint>>();

/**
 * What a strategy would have done with the market's stored 15-minute candles (docs/strategies.md). It reads and
 * calculates, nothing else; one at a time for each member, since calculating takes a server's time.
 * @throws Refused backtest_running, asset_not_found, backtest_under_minimum, backtest_no_prices
 */
export async function runBacktest(context: Context, memberId: bigint, order: BacktestOrder): Promise<BacktestResult> {
  const members = running.get(context.db) ?? new Set();
  running.set(context.db, members);
  if (members.has(memberId)) throw new Refused('backtest_running');
  members.add(memberId);
  try {
    return await playBacktest(order, await openStoredMarket(context));
  } finally {
    members.delete(memberId);
  }
}
