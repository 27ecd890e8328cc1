import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { post, type Transfer } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import {
  bookFill,
  bookNetting,
  type HedgeBooks,
  isSameQuantity,
  type OrderBooks,
  sumQuantities,
} from '../core/execution/hedge-booking.ts';
import { backOffMs } from '../core/execution/venue-health.ts';
import {
  type HedgeOrder,
  insertFill,
  type LockedHedge,
  listBookedTrades,
  lockHedge,
  lockOrder,
  type Progress,
  updateBackOff,
  updateHedge,
  updateProgress,
} from './hedge-sql.ts';
import { coinOf, type Venue, type VenueFill, type VenueOrder } from './venue-port.ts';

/** A market order still open after this is cancelled; what it did not fill is ordered again. */
const CANCEL_AFTER_MS = 30_000;

type PricedFill = VenueFill & { readonly feePrice: string | null };

/**
 * Books an order's fills, each once, in one transaction with the transfers to or from `venue_result`. It is finished
 * when the exchange says so and all fills are booked: the list of fills may lag behind.
 */
export async function bookOrder(context: Context, venue: Venue, order: HedgeOrder, found: VenueOrder): Promise<void> {
  const fills = Number(found.filled) > 0 ? await venue.listFills(order.symbol, found.id) : [];
  const priced = await addFeePrices(venue, order.symbol, fills);
  await inTransaction(context.db, (tx) => bookFills(tx, context.now(), order, found, priced));
  const isStuck = order.sentAt !== null && context.now().getTime() >= order.sentAt.getTime() + CANCEL_AFTER_MS;
  if (!found.isFinal && isStuck) await venue.cancelOrder(order.symbol, order.clientOrderId);
}

/** Fees in a third coin are valued at its price now, asked once a coin. */
async function addFeePrices(venue: Venue, symbol: string, fills: readonly VenueFill[]): Promise<PricedFill[]> {
  const third = new Set(fills.map((fill) => fill.feeCoin).filter((coin) => coin !== null && coin !== 'USDT'));
  third.delete(coinOf(symbol));
  const prices = new Map<string | null, string>();
  for (const coin of third) prices.set(coin, await venue.getPrice(coin as string));
  return fills.map((fill) => ({ ...fill, feePrice: prices.get(fill.feeCoin) ?? null }));
}

async function bookFills(
  tx: Tx,
  now: Date,
  { id, symbol }: HedgeOrder,
  found: VenueOrder,
  fills: readonly PricedFill[],
): Promise<void> {
  const hedge = await lockHedge(tx, symbol);
  const order = await lockOrder(tx, id);
  if (order.state !== 'planned' && order.state !== 'sent') return;
  const known = new Set(await listBookedTrades(tx, id));
  const fresh = fills.filter((fill) => !known.has(fill.tradeId));
  const marketAt = await getMarketTime(tx);
  const transfers: Transfer[] = [];
  let books: { order: OrderBooks; hedge: HedgeBooks } = { order, hedge };
  for (const fill of fresh) {
    const booked = bookFill(coinOf(symbol), books.order, books.hedge, { ...fill, side: order.side });
    await insertFill(tx, { ...fill, orderId: id, booked, bookedAt: now });
    transfers.push(...resultTransfer(booked.result, `hedge/${order.clientOrderId}/${fill.tradeId}`, order, marketAt));
    books = booked;
  }
  await updateHedge(tx, symbol, { ...books.hedge, nettings: hedge.nettings });
  const filled = sumQuantities(
    order.filled,
    fresh.map((fill) => fill.quantity),
  );
  const progress = progressOf(order, found, filled, now);
  await updateProgress(tx, id, { ...progress, filled, books: books.order, exchangeOrderId: found.id });
  await followBackOff(tx, hedge, {
    symbol,
    now,
    isRejected: progress.state === 'rejected',
    isFilled: fresh.length > 0,
  });
  await post(tx, transfers);
}

function progressOf(
  order: HedgeOrder,
  found: VenueOrder,
  filled: string,
  now: Date,
): Pick<Progress, 'state' | 'reason' | 'finishedAt'> {
  const isAllBooked = isSameQuantity(filled, found.filled);
  if (!found.isFinal || !isAllBooked) return { state: 'sent', reason: null, finishedAt: null };
  if (isSameQuantity(filled, order.quantity)) return { state: 'filled', reason: null, finishedAt: now };
  if (Number(filled) > 0) return { state: 'partly_filled', reason: null, finishedAt: now };
  return { state: 'rejected', reason: `The exchange closed the order unfilled: ${found.status}`, finishedAt: now };
}

async function followBackOff(
  tx: Tx,
  { rejections }: LockedHedge,
  seen: { symbol: string; now: Date; isRejected: boolean; isFilled: boolean },
): Promise<void> {
  if (seen.isRejected)
    await updateBackOff(tx, seen.symbol, rejections + 1, new Date(seen.now.getTime() + backOffMs(rejections + 1)));
  else if (seen.isFilled && rejections > 0) await updateBackOff(tx, seen.symbol, 0, null);
}

/** Books positions that met each other inside, while the asset's hedge is locked. */
export async function bookNetted(tx: Tx, symbol: string, hedge: LockedHedge, membersCash: bigint): Promise<void> {
  const next = bookNetting(hedge, membersCash);
  const nettings = hedge.nettings + 1;
  await updateHedge(tx, symbol, { ...next, nettings });
  const reference = { clientOrderId: `net ${symbol} ${nettings}` };
  const marketAt = await getMarketTime(tx);
  await post(tx, resultTransfer(next.result - hedge.result, `hedge/net/${symbol}/${nettings}`, reference, marketAt));
}

/** Worse than the product's prices is a fee, better a rebate; no transfer when they were met to the micro. */
function resultTransfer(
  result: bigint,
  key: string,
  { clientOrderId }: Pick<HedgeOrder, 'clientOrderId'>,
  marketAt: Date,
): Transfer[] {
  if (result === 0n) return [];
  const about = { key, reference: `hedge ${clientOrderId}`, marketAt };
  const [venue, own] = [{ class: 'venue' }, { class: 'venue_result' }] as const;
  return result < 0n
    ? [{ ...about, from: own, to: venue, amountMicros: -result, reason: 'venue_fee' }]
    : [{ ...about, from: venue, to: own, amountMicros: result, reason: 'venue_rebate' }];
}
