import { type Context, elapsedOf } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getMarketTime } from '#server/market/index.ts';
import { decideBatch, type Filled, nothingFilled } from '../core/execution/batch-outcome.ts';
import { type CheckedFills, checkFills } from '../core/execution/check-fills.ts';
import { backOffMs } from '../core/execution/venue-health.ts';
import { Exact, isQuantity, isSameQuantity } from '../core/price.ts';
import { endHalt, haltAsset } from '../halts/halt-trading.ts';
import { listConfirmedFills } from '../statement/finding-sql.ts';
import {
  type Batch,
  claimSend,
  insertFill,
  lockBatch,
  type NewFill,
  updateAccepted,
  updateFilled,
  updateNotSent,
  updateWithdrawn,
  wasPurchaseRefused,
} from './batch-sql.ts';
import { updateUnbooked } from './coin-sale.ts';
import { addRefusal, insertHolding, lockHolding } from './holding-sql.ts';
import { isOutcomeUnknown, type Venue, VenueFault, type VenueFill, type VenueOrder } from './venue-port.ts';

/**
 * A request without an answer may still arrive within this time, so its order is not abandoned before. Twice the
 * exchange's receive window, which allows for seconds of clock skew.
 */
const ARRIVES_WITHIN_MS = 10_000;
/** After this, an open order is cancelled, and one that is not found or whose fills are missing counts as a fault. */
const CANCEL_AFTER_MS = 30_000;
/** Exchanges drop orders without fills, OKX after two hours. Fills remain listed. */
const DROPPED_AFTER_MS = 3_600_000;
/** The list of fills may lag as well: it counts once it has been the same for so long. */
const LISTS_WITHIN_MS = 300_000;
const NO_ORDER = 'no order';
type Wait = { readonly seen: string; readonly since: number };
/**
 * What this process saw of orders that the exchange does not know, and since when in elapsed time: a clock that is set
 * forward would end their waits at once. A new process begins them again.
 */
const waits = new WeakMap<Context['db'], Map<bigint, Wait>>();

/**
 * Sends and follows the order of a batch exactly once, across crashes. An order that may have been sent is looked up by
 * our id and never sent again. If the exchange does not know it and no request can still arrive, its trades wait for
 * the next batch. An order whose result is unclear halts its asset only.
 *
 * @throws VenueFault when the exchange does not respond: the next round resumes
 */
export async function followOrder(context: Context, venue: Venue, batch: Batch): Promise<void> {
  try {
    await (batch.sends === 0 ? sendOrder(context, venue, batch) : findSent(context, venue, batch));
  } catch (error) {
    if (!(error instanceof VenueFault)) throw error;
    if (error.kind === 'unreadable') return haltImplausible(context, batch, error.message);
    if (error.kind !== 'refused') throw error;
    await haltBatch(context, batch, `The exchange does not say what its order filled: ${error.message}`);
  }
}

async function findSent(context: Context, venue: Venue, batch: Batch): Promise<void> {
  const found = await findOrder(venue, batch);
  if (found !== undefined) return readOrder(context, venue, batch, found);
  if (batch.state === 'sent') return resolveLost(context, venue, batch);
  if (batch.sentAt === null || sameFor(context, batch, NO_ORDER) >= ARRIVES_WITHIN_MS)
    await withdraw(context, batch, 'The order never reached the exchange.');
}

/** For how many milliseconds this process has seen the same of an order. */
function sameFor(context: Context, { id }: Batch, seen: string): number {
  const begun = waits.get(context.db) ?? new Map<bigint, Wait>();
  waits.set(context.db, begun);
  const before = begun.get(id);
  if (before?.seen === seen) return elapsedOf(context) - before.since;
  begun.set(id, { seen, since: elapsedOf(context) });
  return 0;
}

/** Whether two operators may say what an order filled: the exchange has not for so long. */
export const isOverdue = (batch: Batch, context: Pick<Context, 'now'>): boolean =>
  isSince(batch, DROPPED_AFTER_MS, context);

const isSince = ({ sentAt }: Batch, ms: number, { now }: Pick<Context, 'now'>): boolean =>
  sentAt === null || now().getTime() >= sentAt.getTime() + ms;

/** An accepted order that the exchange no longer knows. Once it may have been dropped, its listed fills decide. */
async function resolveLost(context: Context, venue: Venue, batch: Batch): Promise<void> {
  const { symbol, clientOrderId, exchangeOrderId } = batch;
  // The list of orders may lag.
  if (!isSince(batch, CANCEL_AFTER_MS, context)) return;
  if (exchangeOrderId === null || !isOverdue(batch, context))
    return haltImplausible(context, batch, `it knows no order ${clientOrderId}, which it took`);
  const fills = await venue.listFills(symbol, exchangeOrderId);
  const listed = `fills ${fills.map(({ tradeId }) => tradeId).join()}`;
  if (sameFor(context, batch, listed) < LISTS_WITHIN_MS)
    return haltImplausible(context, batch, `it knows no order ${clientOrderId}, and may not list all its fills yet`);
  await readFills(context, venue, batch, exchangeOrderId, fills);
}

async function sendOrder(context: Context, venue: Venue, batch: Batch): Promise<void> {
  const { id, symbol, clientOrderId, plan } = batch;
  const sentAt = context.now();
  if (plan.order === null || clientOrderId === null || !(await claimSend(context.db, batch, sentAt))) return;
  const sent = { ...batch, sends: batch.sends + 1, sentAt };
  sameFor(context, sent, NO_ORDER);
  let exchangeOrderId: string;
  try {
    exchangeOrderId = await venue.sendOrder({ ...plan.order, clientOrderId, symbol, sentAt });
    await updateAccepted(context.db, id, exchangeOrderId);
  } catch (error) {
    if (!(error instanceof VenueFault) || isOutcomeUnknown(error)) throw error;
    if (error.kind === 'refused') {
      // The exchange may have paused the asset or changed its order terms.
      venue.forgetTerms();
      return refuseOrder(context, sent, error.message);
    }
    await updateNotSent(context.db, id, sent.sends);
    await withdraw(context, sent, error.message);
    throw error;
  }
  const found = await findOrder(venue, sent);
  if (found !== undefined) await readOrder(context, venue, { ...sent, state: 'sent', exchangeOrderId }, found);
}

const findOrder = (venue: Venue, { symbol, clientOrderId }: Batch): Promise<VenueOrder | undefined> =>
  venue.findOrder(symbol, clientOrderId as string);

/** Its trades wait for the next batch, which is planned at current prices. */
export async function withdraw(context: Context, batch: Batch, reason: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockHolding(tx, batch.symbol);
    await updateWithdrawn(tx, batch, reason);
  });
  waits.get(context.db)?.delete(batch.id);
}

/** Opens nothing and halts the asset. Queued trades wait and show the exchange's message. */
async function refuseOrder(context: Context, batch: Batch, reason: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockHolding(tx, batch.symbol);
    // A failed sale of house coins does not halt members' trades.
    if (!(await updateWithdrawn(tx, batch, reason)) || batch.kind === 'house') return;
    await addRefusal(tx, batch.symbol);
    await halt(context, tx, batch.symbol, reason);
  });
}

/** Halts an asset that the exchange lists but has paused. `isRecheck`: halts it again after the back-off. */
export const haltPaused = (context: Context, symbol: string, isRecheck = false): Promise<void> =>
  haltMarket(context, symbol, `The exchange paused trading in ${symbol.toUpperCase()}.`, isRecheck);

/** Halts an asset that cannot be traded and, with `isRecheck`, halts it again after each back-off. */
export const haltMarket = (context: Context, symbol: string, reason: string, isRecheck = true): Promise<void> =>
  inTransaction(context.db, async (tx) => {
    await insertHolding(tx, symbol);
    const { retryAt } = await lockHolding(tx, symbol);
    if (retryAt === null || (isRecheck && context.now() >= retryAt)) await halt(context, tx, symbol, reason);
  });

async function halt(context: Context, tx: Tx, symbol: string, reason: string): Promise<void> {
  const at = context.now();
  const { rejections } = await lockHolding(tx, symbol);
  await haltAsset(tx, symbol, { reason, at, retryAt: new Date(at.getTime() + backOffMs(rejections + 1)) });
}

/** Stores what a finished order filled, with the resulting prices. */
async function readOrder(context: Context, venue: Venue, batch: Batch, found: VenueOrder): Promise<void> {
  const { symbol, clientOrderId } = batch;
  if (found.clientOrderId !== clientOrderId)
    return haltImplausible(context, batch, `it answered for order ${found.clientOrderId} instead of ${clientOrderId}`);
  if (batch.exchangeOrderId === null) await updateAccepted(context.db, batch.id, found.id);
  const ordered = batch.plan.order?.quantity ?? '0';
  if (!isQuantity(found.filled) || new Exact(found.filled).gt(ordered))
    return haltImplausible(context, batch, `${found.filled} filled of ${ordered} ordered`);
  if (!found.isFinal) {
    if (isSince(batch, CANCEL_AFTER_MS, context)) await cancelOrder(venue, batch);
    return;
  }
  const fills = isSameQuantity(found.filled, '0') ? [] : await venue.listFills(symbol, found.id);
  await readFills(context, venue, batch, found.id, fills, found.filled);
}

/** An order that ended in the meantime cannot be cancelled: the next round reads it. */
async function cancelOrder(venue: Venue, batch: Batch): Promise<void> {
  try {
    await venue.cancelOrder(batch.symbol, batch.clientOrderId as string);
  } catch (error) {
    const isRefused = error instanceof VenueFault && error.kind === 'refused';
    if (!isRefused || (await findOrder(venue, batch))?.isFinal !== true) throw error;
  }
}

/** @param filled the total the fills must add up to, if the exchange reports it */
async function readFills(
  context: Context,
  venue: Venue,
  batch: Batch,
  orderId: string,
  fills: readonly VenueFill[],
  filled?: string,
): Promise<void> {
  const checked = await check(context, venue, batch, fills);
  if ('fault' in checked) return haltImplausible(context, batch, checked.fault);
  const listed = checked.filled.quantity;
  if (filled !== undefined && !isSameQuantity(listed, filled)) {
    // The list of fills may lag.
    if (!isSince(batch, CANCEL_AFTER_MS, context)) return;
    return haltImplausible(context, batch, `fills of ${listed} where ${filled} is filled`);
  }
  const coin = venue.coinOf(batch.symbol);
  const stored = fills.map((fill) => ({ ...fill, isFeeInCoin: fill.feeCoin === coin }));
  await inTransaction(context.db, (tx) => writeFills(tx, batch, orderId, stored, checked));
  waits.get(context.db)?.delete(batch.id);
}

async function check(
  { db }: Context,
  venue: Venue,
  { symbol, plan, quote, exchangeOrderId }: Batch,
  fills: readonly VenueFill[],
): Promise<CheckedFills> {
  const coins = { coin: venue.coinOf(symbol), dollar: venue.dollar };
  const prices = new Map<string, string | null>();
  for (const { feeCoin } of fills) {
    if (feeCoin === null || feeCoin === coins.coin || feeCoin === coins.dollar || prices.has(feeCoin)) continue;
    prices.set(feeCoin, await priceOf(venue, feeCoin));
  }
  const confirmed = await listConfirmedFills(db, symbol, exchangeOrderId);
  const reported = fills.map((fill) => ({
    ...fill,
    feePrice: prices.get(fill.feeCoin ?? '') ?? null,
    isConfirmed: confirmed.some(
      ({ tradeId, quantity, cost }) =>
        tradeId === fill.tradeId && isSameQuantity(quantity, fill.quantity) && isSameQuantity(cost, fill.cost),
    ),
  }));
  if (plan.order === null) return { filled: nothingFilled, feeValues: [] };
  return checkFills(plan.order, reported, coins, quote.mark);
}

/** Null when the exchange has no price for the coin. */
async function priceOf(venue: Venue, coin: string): Promise<string | null> {
  try {
    return await venue.getPrice(coin);
  } catch (error) {
    if (error instanceof VenueFault && error.kind === 'refused') return null;
    throw error;
  }
}

type Priced = { readonly filled: Filled; readonly feeValues: readonly (bigint | null)[] };

/** Stores what an order filled, with the resulting prices, unless that is known by now. */
export async function writeFills(
  tx: Tx,
  { id, symbol }: Batch,
  exchangeOrderId: string | null,
  fills: readonly Omit<NewFill, 'feeValue'>[],
  { filled, feeValues }: Priced,
): Promise<void> {
  await lockHolding(tx, symbol);
  const batch = await lockBatch(tx, id);
  if (batch.state !== 'planned' && batch.state !== 'sent') return;
  for (const [index, fill] of fills.entries())
    await insertFill(tx, id, { ...fill, feeValue: feeValues[index] ?? null });
  const { wanted, plan, quote, takerFee, spreadBps } = batch;
  const outcome = decideBatch(wanted, plan, filled, { quote, terms: { takerFee }, spreadBps });
  const at = await getMarketTime(tx);
  await updateFilled(tx, id, { filled, outcome, at, exchangeOrderId });
  // A sale by itself says nothing about purchases that were refused.
  const isApart = plan.order?.side === 'sell' && (await wasPurchaseRefused(tx, symbol, id));
  if (!isSameQuantity(filled.quantity, '0') && !isApart) await endHalt(tx, symbol);
}

/** An answer that cannot be true is not booked. */
const haltImplausible = (context: Context, batch: Batch, fault: string): Promise<void> =>
  haltBatch(context, batch, `The exchange answered what cannot be: ${fault}.`);

/** Books nothing and halts the asset. The exchange is queried again later. */
export function haltBatch(context: Context, batch: Batch, reason: string): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    // A sale of house coins halts its asset as well: until it ends, no other order of the asset is sent.
    if (batch.kind === 'house' && (await updateUnbooked(tx, batch.id, reason)))
      context.log.error({ order: batch.clientOrderId, reason }, 'coin sale is doubted');
    const { retryAt } = await lockHolding(tx, batch.symbol);
    if (retryAt !== null && context.now() < retryAt) return;
    await halt(context, tx, batch.symbol, reason);
  });
}
