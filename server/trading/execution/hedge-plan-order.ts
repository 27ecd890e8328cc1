import { randomBytes } from 'node:crypto';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { type OrderLimits, planHedge } from '../core/execution/hedge-plan.ts';
import { bookNetted } from './hedge-book.ts';
import { getPending, type HedgeOrder, insertHedge, insertOrder, lockHedge, type PendingAsset } from './hedge-sql.ts';

/**
 * Writes the order that brings the exchange's holdings of an asset to what members' positions need, and commits it with
 * its id before anybody sends it. Positions that met each other inside need no order and are booked here.
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
