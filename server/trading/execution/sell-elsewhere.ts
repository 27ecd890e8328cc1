import type { BodyOf } from '#contract/endpoint.ts';
import { toDollars, toMicros } from '#contract/money.ts';
import type { Proposal as ShownProposal } from '#contract/operator/proposals.ts';
import { consoleVenueFills, type UnsoldAsset, type VenueFillProposal } from '#contract/operator/venue-fills.ts';
import { operators } from '#server/accounts/index.ts';
import { type ListedKind, type OperatorActor, plainKind, propose, showProposal } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { getMarketTime } from '#server/market/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { isSold } from '../core/execution/closing-parts.ts';
import { residualOf } from '../core/execution/holding-state.ts';
import {
  bookElsewhere,
  isFarFromMark,
  isMoreThanLeft,
  netPrice,
  type Remaining,
  type SoldElsewhere,
} from '../core/execution/sold-elsewhere.ts';
import { Exact } from '../core/price.ts';
import { holdSession } from '../session/session-sql.ts';
import { hasUnfinished, insertBatch, insertFill, updateElsewhere, updateFilled } from './batch-sql.ts';
import { bookMoved } from './book-batch.ts';
import { writeMark } from './closing-sale.ts';
import {
  listUnsoldSales,
  type OpenSale,
  readSale,
  type SaleKey,
  type UnsoldSale,
  updateSaleDone,
} from './closing-sale-sql.ts';
import { getMemberPositions, getSpread, listHoldings, lockHolding } from './holding-sql.ts';
import { listUnknownOrders, lockUnknownOrder, type OrderBatch, stateOutcome } from './order-outcome.ts';

/** Amounts are text, which keeps every digit. */
type Payload = SaleKey & {
  /** The order of which it says what was filled; absent for a sale made elsewhere. */
  readonly order?: UnknownOrder | undefined;
  readonly quantity: string;
  readonly costMicros: string;
  readonly feeMicros: string;
  readonly where: string;
  readonly transaction: string;
  /** The mark at proposal time, and whether the proposer confirmed a price far from it. */
  readonly mark: string | null;
  readonly isFar: boolean;
};
type UnknownOrder = NonNullable<UnsoldAsset['order']>;
type Shown = Omit<VenueFillProposal, keyof ShownProposal>;

const soldOf = ({ order, quantity, costMicros, feeMicros }: Payload): SoldElsewhere => ({
  side: order?.side ?? 'sell',
  quantity,
  costMicros: BigInt(costMicros),
  feeMicros: BigInt(feeMicros),
});

/**
 * Coins of positions that the exchange could not sell and that were sold elsewhere (docs/product.md, section 3,
 * "Execution venue"). Approval books them as a batch of the closing sale, and ends the sale when nothing is left. The
 * ledger then expects the dollars at the exchange. With an `order`, what it filled: its own batch is booked.
 *
 * Approving refuses `nothing_unsold`, `more_than_unsold`, `batch_under_way` and `price_far_from_mark`, like proposing.
 */
export const venueFillKind: ListedKind<Payload, Shown> = {
  ...plainKind('venue_fill'),
  subject: 'venue_fill',
  roles: consoleVenueFills.approveVenueFill.access,
  operators,
  logged: ({ payload: { order, day, symbol, quantity, costMicros, feeMicros } }) => ({
    ...(order && { order: order.client_order_id }),
    day,
    symbol,
    quantity,
    costMicros,
    feeMicros,
  }),
  execute: async (tx, context, { id, reference, payload }) => {
    const { order, transaction: tradeId } = payload;
    const batchId = order
      ? await stateOutcome(tx, context, { ...payload, ...soldOf(payload), batchId: order.batch_id, tradeId })
      : await book(tx, context, payload, { id, reference: reference as string });
    return { resultId: batchId, logged: { batchId } };
  },
  show: async (_db, proposals) =>
    proposals.map(({ payload, resultId }) => {
      const { order, day, symbol, quantity, costMicros, feeMicros, where, transaction, mark } = payload;
      return {
        client_order_id: order?.client_order_id ?? null,
        side: order?.side ?? 'sell',
        day,
        symbol,
        quantity,
        where,
        transaction,
        mark,
        batch_id: resultId?.toString() ?? null,
        cost: toDollars(BigInt(costMicros)),
        fee: toDollars(BigInt(feeMicros)),
        price: netPrice(soldOf(payload)),
      };
    }),
};

/** Proposes to record coins sold elsewhere, or what an order filled; another operator approves. */
export function proposeVenueFill(
  context: Context,
  actor: OperatorActor,
  {
    reason,
    cost,
    fee,
    far_from_mark: isFar,
    batch_id: batchId,
    ...sold
  }: BodyOf<typeof consoleVenueFills.proposeVenueFill>,
  once?: Once,
): Promise<VenueFillProposal> {
  const draft = { ...sold, isFar, costMicros: toMicros(cost).toString(), feeMicros: toMicros(fee).toString() };
  return runOnce(context.db, once, async (tx) => {
    const checked =
      batchId === undefined
        ? { mark: (await lockUnsold(tx, { ...draft, mark: null })).mark }
        : await lockOrder(tx, context, draft, batchId);
    const payload = { ...draft, ...checked };
    return showProposal(tx, venueFillKind, await propose(tx, context, venueFillKind, actor, { payload, reason }));
  });
}

/** What the exchange could not sell, for every closed session; and orders that it has long not answered about. */
export async function listUnsold(context: Context): Promise<{ items: UnsoldAsset[] }> {
  const { db } = context;
  const sales = await listUnsoldSales(db);
  const orders = await listUnknownOrders(context);
  const held = new Map((await listHoldings(db)).map((holding) => [holding.symbol, holding.held]));
  return {
    items: [
      ...sales.map(({ markAt, isCarried, ...sale }) => ({
        ...sale,
        order: null,
        mark_at: markAt?.toISOString() ?? null,
        carried: isCarried,
      })),
      ...orders.map((batch) => ({
        order: showOrder(batch),
        day: batch.day,
        symbol: batch.symbol,
        quantity: batch.plan.order.quantity,
        held: held.get(batch.symbol) ?? '0',
        mark: batch.quote.mark,
        mark_at: batch.plannedAt.toISOString(),
        carried: false,
      })),
    ],
  };
}

const showOrder = ({ id, clientOrderId, plan }: OrderBatch): UnknownOrder => ({
  batch_id: id.toString(),
  client_order_id: clientOrderId as string,
  side: plan.order.side,
});

async function lockOrder(tx: Tx, context: Context, draft: Omit<Payload, 'mark'>, batchId: string) {
  const stated = { ...draft, batchId, costMicros: BigInt(draft.costMicros), feeMicros: BigInt(draft.feeMicros) };
  const batch = await lockUnknownOrder(tx, context, stated);
  return { mark: batch.quote.mark, order: showOrder(batch) };
}

type Unsold = UnsoldSale & { readonly left: Remaining };

/** Locks the asset's holding, and refuses sales that cannot be booked now. */
async function lockUnsold(tx: Tx, payload: Payload): Promise<Unsold> {
  const { day, symbol, isFar } = payload;
  const isThisSale = (one: SaleKey) => one.day === day && one.symbol === symbol;
  const find = async () => orRefuse((await listUnsoldSales(tx)).find(isThisSale), 'nothing_unsold');
  await find();
  await holdSession(tx);
  const { held } = await lockHolding(tx, symbol);
  const sale = await find();
  if (await hasUnfinished(tx, symbol)) throw new Refused('batch_under_way');
  const left = { unsold: sale.quantity, held, residual: residualOf(held, await getMemberPositions(tx, symbol)) };
  const sold = soldOf(payload);
  if (isMoreThanLeft(sold, left)) throw new Refused('more_than_unsold');
  if (!isFar && isFarFromMark(sold, sale.mark)) throw new Refused('price_far_from_mark');
  return { ...sale, left };
}

type Decided = { readonly id: bigint; readonly reference: string };

async function book(
  tx: Tx,
  context: Context,
  payload: Payload,
  { id: proposalId, reference }: Decided,
): Promise<bigint> {
  const { left, mark: lastMark, isCarried } = await lockUnsold(tx, payload);
  const { day, symbol, quantity } = payload;
  const key = { day, symbol, isCarried };
  const { spreadBps } = await readSale(tx, key, await getSpread(tx, symbol));
  const sold = soldOf(payload);
  const price = netPrice(sold);
  const mark = lastMark ?? price;
  const { filled, outcome } = bookElsewhere(sold, left, { mark, spreadBps });
  const at = await getMarketTime(tx);
  const batch = await insertBatch(tx, {
    day,
    symbol,
    kind: 'close',
    at,
    spreadBps,
    takerFee: '0',
    clientOrderId: reference,
    plannedAt: context.now(),
    quote: { bid: mark, ask: mark, mark },
    wanted: { buyMicros: 0n, sellCoins: left.unsold, residual: left.residual },
    plan: { buyCoins: '0', order: { side: 'sell', quantity, limitPrice: price }, isWhole: outcome.sellCoins === null },
  });
  await insertFill(tx, batch.id, {
    tradeId: reference,
    quantity,
    cost: filled.cost,
    filledAt: context.now(),
    feeValue: null,
    isFeeInCoin: false,
    ...(sold.feeMicros === 0n
      ? { feeQuantity: '0', feeCoin: null }
      : { feeQuantity: new Exact(filled.cost).minus(filled.dollars).toFixed(), feeCoin: 'USD' }),
  });
  await updateFilled(tx, batch.id, { filled, outcome, at, exchangeOrderId: null });
  await updateElsewhere(tx, batch.id, proposalId);
  await bookMoved(context, tx, batch);
  await endIfSold(tx, context, key, at);
  return batch.id;
}

/** Ends the sale once everything is sold: positions settle at the average of its fills. */
async function endIfSold(tx: Tx, context: Context, key: OpenSale, markedAt: Date): Promise<void> {
  const { net, spreadBps, ...sale } = await readSale(tx, key, 0);
  if (net === null || !isSold(sale) || !(await updateSaleDone(tx, key, context.now()))) return;
  await writeMark(tx, key, { mark: net, spreadBps, isLate: true, markedAt });
}
