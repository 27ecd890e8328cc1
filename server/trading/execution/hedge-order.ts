import { randomBytes } from 'node:crypto';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { isStillWanted, type OrderLimits, planHedge } from '../core/execution/hedge-plan.ts';
import { backOffMs } from '../core/execution/venue-health.ts';
import { bookNetted, bookOrder } from './hedge-book.ts';
import {
  claimSend,
  getPending,
  type HedgeOrder,
  insertHedge,
  insertOrder,
  lockHedge,
  type PendingAsset,
  updateAccepted,
  updateBackOff,
  updateGivenUp,
  updateNotSent,
} from './hedge-sql.ts';
import { isOpen, type Venue, VenueFault } from './venue-port.ts';

/**
 * A request without an answer may still arrive: nobody resends it before. Twice the exchange's receive window, so that
 * clocks may differ by seconds.
 */
const RESEND_AFTER_MS = 10_000;

/**
 * Follows an unfinished order exactly once, whatever was interrupted. One that may have been sent is looked up by our
 * id; the same id is sent again only when the exchange does not know it and no request can arrive any more. One that is
 * no longer wanted is withdrawn.
 *
 * @throws VenueFault when the exchange does not respond: the next round resumes
 */
export async function followOrder(context: Context, venue: Venue, order: HedgeOrder): Promise<void> {
  if (order.sends > 0) {
    const found = await venue.findOrder(order.symbol, order.clientOrderId);
    if (found !== undefined) return bookOrder(context, venue, order, found);
    if (order.state === 'sent') throw new VenueFault('unknown', `order ${order.clientOrderId} is not to be found`);
    if (mayStillArrive(order, context.now())) return;
  }
  if (await withdrawUnwanted(context, order)) return;
  await sendOrder(context, venue, order);
}

const mayStillArrive = ({ sentAt }: HedgeOrder, now: Date): boolean =>
  sentAt !== null && now.getTime() < sentAt.getTime() + RESEND_AFTER_MS;

async function sendOrder(context: Context, venue: Venue, order: HedgeOrder): Promise<void> {
  const { id, symbol, clientOrderId, side, quantity } = order;
  const sentAt = context.now();
  if (!(await claimSend(context.db, order, sentAt))) return;
  const sent = { ...order, sends: order.sends + 1, sentAt };
  try {
    const exchangeOrderId = await venue.sendOrder({ clientOrderId, symbol, side, quantity, sentAt });
    await updateAccepted(context.db, id, exchangeOrderId);
  } catch (error) {
    if (!(error instanceof VenueFault) || isOpen(error)) throw error;
    if (error.kind === 'refused') return rejectOrder(context, sent, error.message);
    await updateNotSent(context.db, id, sent.sends);
    throw error;
  }
  const found = await venue.findOrder(symbol, clientOrderId);
  if (found !== undefined) await bookOrder(context, venue, sent, found);
}

/** Writes down the exchange's words, and leaves the asset alone for a while. */
function rejectOrder(context: Context, order: HedgeOrder, reason: string): Promise<void> {
  const at = context.now();
  return inTransaction(context.db, async (tx) => {
    const { rejections } = await lockHedge(tx, order.symbol);
    if (!(await updateGivenUp(tx, order, { state: 'rejected', reason, at }))) return;
    const retryAt = new Date(at.getTime() + backOffMs(rejections + 1));
    await updateBackOff(tx, order.symbol, rejections + 1, retryAt);
  });
}

/** @returns whether the order is not to be sent: positions changed since it was planned */
function withdrawUnwanted(context: Context, order: HedgeOrder): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    await lockHedge(tx, order.symbol);
    const pending = await getPending(tx, order.symbol);
    if (isStillWanted(order, pending.quantity)) return false;
    const reason = 'The order never reached the exchange, and positions changed meanwhile.';
    await updateGivenUp(tx, order, { state: 'withdrawn', reason, at: context.now() });
    return true;
  });
}

/**
 * Commits the order that aligns the exchange's holdings with members' positions before anybody sends it. Positions that
 * netted internally are booked without an order.
 *
 * @param seen what was pending a moment ago: most rounds end there, without a lock
 * @returns undefined when nothing is to be ordered
 */
export function planOrder(
  context: Context,
  seen: PendingAsset,
  mark: string | null,
  limits: OrderLimits | undefined,
): Promise<HedgeOrder | undefined> {
  const { symbol } = seen;
  if (!isDue(seen, mark, limits, context.now())) return Promise.resolve(undefined);
  return inTransaction(context.db, async (tx) => {
    await insertHedge(tx, symbol);
    const hedge = await lockHedge(tx, symbol);
    const pending = await getPending(tx, symbol);
    if (pending.isOrdered) return undefined;
    if (isNetted(pending)) await bookNetted(tx, symbol, hedge, pending.membersCash);
    const plan = limits && planHedge(pending, mark, limits);
    if (plan === undefined || mark === null) return undefined;
    return insertOrder(tx, { ...plan, symbol, mark, clientOrderId: newClientOrderId(), plannedAt: context.now() });
  });
}

function isDue(pending: PendingAsset, mark: string | null, limits: OrderLimits | undefined, now: Date): boolean {
  if (pending.isOrdered) return false;
  if (isNetted(pending)) return true;
  if (pending.retryAt !== null && now < pending.retryAt) return false;
  return limits !== undefined && planHedge(pending, mark, limits) !== undefined;
}

const isNetted = (pending: PendingAsset): boolean => Number(pending.quantity) === 0 && pending.membersCash !== 0n;

/** Never seen before by the exchange, whatever other installations or restored databases used its account. */
const newClientOrderId = (): string => `tw${randomBytes(12).toString('hex')}`;
