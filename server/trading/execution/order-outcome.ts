import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { coinAt } from '#server/market/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import {
  feeInCoins,
  filledOf,
  isFarFromMark,
  isNothing,
  type SoldElsewhere,
} from '../core/execution/sold-elsewhere.ts';
import { Exact } from '../core/price.ts';
import { exchangeOf } from '../statement/import-statement.ts';
import { type Batch, listUnfinished } from './batch-sql.ts';
import { isOverdue, writeFills } from './follow-order.ts';
import { lockHolding } from './holding-sql.ts';

export type OrderBatch = Batch & { readonly plan: { readonly order: NonNullable<Batch['plan']['order']> } };

const hasOrder = (batch: Batch): batch is OrderBatch => batch.plan.order !== null;

/** Orders that the exchange may have taken an hour ago or earlier, without a known outcome since. */
export const listUnknownOrders = async (context: Pick<Context, 'db' | 'now'>): Promise<OrderBatch[]> =>
  (await listUnfinished(context.db))
    .filter(hasOrder)
    .filter((batch) => batch.state !== 'filled' && batch.sends > 0 && isOverdue(batch, context));

export type StatedFill = SoldElsewhere & {
  readonly batchId: string;
  readonly symbol: string;
  readonly day: string;
  /** The exchange's id of the fill. */
  readonly tradeId: string;
  /** Whether a price far from the mark is confirmed. */
  readonly isFar: boolean;
};

/** Locks the asset's holding. Refuses an order whose outcome is known by now, and a fill that it cannot have. */
export async function lockUnknownOrder(
  tx: Tx,
  { now }: Pick<Context, 'now'>,
  stated: Omit<StatedFill, 'side' | 'tradeId'>,
): Promise<OrderBatch> {
  const { batchId, symbol, day, isFar } = stated;
  const isThisOrder = (batch: Batch) => batch.id === BigInt(batchId) && batch.symbol === symbol && batch.day === day;
  const find = async () => orRefuse((await listUnknownOrders({ db: tx, now })).find(isThisOrder), 'nothing_unsold');
  await find();
  await lockHolding(tx, symbol);
  const batch = await find();
  const { order } = batch.plan;
  if (new Exact(stated.quantity).gt(order.quantity)) throw new Refused('more_than_unsold');
  if (!isFar && isFarFromMark({ ...stated, side: order.side }, batch.quote.mark))
    throw new Refused('price_far_from_mark');
  return batch;
}

/** Takes what two operators say an order filled for the exchange's answer. The next round books it. */
export async function stateOutcome(tx: Tx, context: Context, stated: StatedFill): Promise<bigint> {
  const batch = await lockUnknownOrder(tx, context, stated);
  const { tradeId, quantity, feeMicros, symbol } = stated;
  const inCoins = feeInCoins(stated, batch.plan.order.quantity, batch.takerFee);
  const isFeeInCoin = Number(inCoins) > 0;
  const filled = { ...filledOf(stated), quantity: new Exact(quantity).plus(inCoins).toFixed() };
  const inDollars = new Exact(filled.cost).minus(filled.dollars).abs().toFixed();
  const fill = {
    tradeId,
    quantity: filled.quantity,
    cost: filled.cost,
    feeQuantity: isFeeInCoin ? inCoins : inDollars,
    feeCoin: isFeeInCoin ? coinAt(exchangeOf(context), symbol) : feeMicros === 0n ? null : 'USD',
    isFeeInCoin,
    filledAt: batch.sentAt ?? batch.plannedAt,
  };
  await writeFills(tx, batch, batch.exchangeOrderId, isNothing(stated) ? [] : [fill], { filled, feeValues: [] });
  return batch.id;
}
