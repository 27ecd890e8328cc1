import { toMicros } from '#contract/money.ts';
import type { WalletType } from '#contract/rules.ts';
import type { Trade } from '#contract/trading.ts';
import type { Context } from '#server/context.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { getMarketTime } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { refusePlacing } from './core/placing.ts';
import { showTrade } from './show-trade.ts';
import { insertPlaced } from './trade-sql.ts';
import { readConditions } from './trading-conditions.ts';

export type NewTradeInput = {
  /** The base symbol of an asset, `btc`. */
  readonly tradeId?: string | null | undefined;
  /** Dollars. */
  readonly amount: number;
  readonly wallet_type: WalletType;
};

/**
 * *Trade Now* (product.md section 3): the amount moves to `trade_escrow` at once, and the trade waits in `queued` for
 * the first tick of its asset after this moment of market time.
 *
 * What is read before the transaction is only looked at inside, so that a repeated `Idempotency-Key` is answered before
 * anything is checked. Market time is read before the money moves: no later tick can be known to who asked.
 *
 * @throws Refused in the order of api.md, Trading: trade_not_selected, trade_under_primary_minimum or
 * trade_under_profit_minimum, account_frozen, replay_ended, insufficient_funds
 */
export async function placeTrade(context: Context, memberId: bigint, input: NewTradeInput, once?: Once): Promise<Trade> {
  const amount = toMicros(input.amount);
  const [conditions, requestedAt] = await Promise.all([readConditions(context), getMarketTime(context.db)]);
  const symbol = input.tradeId ?? '';
  const refusal = refusePlacing({
    isTradable: conditions.symbols.has(symbol),
    amount,
    wallet: input.wallet_type,
    isFrozen: conditions.frozenMemberIds.has(memberId),
    marketEnded: conditions.hasEnded,
  });
  return runOnce(context.db, once, async (tx) => {
    if (refusal !== undefined) throw new Refused(refusal);
    const trade = await insertPlaced(tx, {
      member_id: memberId,
      symbol,
      wallet: input.wallet_type,
      amount,
      placed_at: context.now(),
      requested_at: requestedAt,
    });
    return showTrade(trade, { session: undefined, quotes: new Map() });
  });
}
