import { toMicros } from '#contract/money.ts';
import type { WalletType } from '#contract/rules.ts';
import type { Trade } from '#contract/trading.ts';
import type { Context } from '#server/context.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { refusePlacing } from './core/placing.ts';
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
 * A repeated `Idempotency-Key` is answered before anything is checked: a refusal found here is thrown only when the key
 * is new.
 *
 * @throws Refused in the order of api.md, Trading: trade_not_selected, trade_under_primary_minimum or
 * trade_under_profit_minimum, account_frozen, replay_ended, insufficient_funds
 */
export async function placeTrade(
  context: Context,
  memberId: bigint,
  input: NewTradeInput,
  once?: Once,
): Promise<Trade> {
  const conditions = await readConditions(context);
  const symbol = input.tradeId ?? '';
  const amount = toMicros(input.amount);
  const refusal = refusePlacing({
    isTradable: conditions.symbols.has(symbol),
    amount,
    wallet: input.wallet_type,
    isFrozen: conditions.frozenMemberIds.has(memberId),
    marketEnded: conditions.hasEnded,
  });
  if (refusal !== undefined) return runOnce(context.db, once, () => Promise.reject(new Refused(refusal)));
  const placedAt = context.now();
  return insertPlaced(
    context.db,
    once,
    { member_id: memberId, symbol, wallet: input.wallet_type, amount, placed_at: placedAt },
    showQueued(symbol, input, placedAt),
  );
}

const showQueued = (symbol: string, input: NewTradeInput, placedAt: Date): Omit<Trade, 'id'> => ({
  symbol,
  wallet_type: input.wallet_type,
  amount: input.amount,
  fee: null,
  state: 'queued',
  placed_at: placedAt.toISOString(),
  opened_at: null,
  open_price: null,
  closed_at: null,
  close_price: null,
  close_reason: null,
  cancel_reason: null,
  gross: null,
  performance_fee: null,
  result: null,
  closing: false,
  live: null,
});
