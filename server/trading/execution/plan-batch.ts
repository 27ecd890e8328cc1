import { randomBytes } from 'node:crypto';
import { listFrozenMembers } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { findAsset } from '#server/market/index.ts';
import { decideBatch, nothingFilled } from '../core/execution/batch-outcome.ts';
import { type OrderTerms, planBatch, type Quote } from '../core/execution/batch-plan.ts';
import { residualOf } from '../core/execution/holding-state.ts';
import { findActiveHalt } from '../halts/halt-trading.ts';
import { listLimitedMembers } from '../orders/place-trade.ts';
import { lockPlanning } from '../session/opening-sql.ts';
import { joinFollower, type SessionSnapshot } from '../session/session-sql.ts';
import {
  type Batch,
  findDue,
  findFeeInCoin,
  hasUnfinished,
  insertBatch,
  type NewBatch,
  updateFilled,
  wasPurchaseRefused,
} from './batch-sql.ts';
import { getMemberPositions, insertHolding, lockHolding } from './holding-sql.ts';
import { isClosing } from './venue-state.ts';

/** Market data that a batch of an asset is planned with. */
export type Market = {
  readonly symbol: string;
  readonly quote: Quote;
  readonly terms: OrderTerms;
  readonly spreadBps: number;
};

/**
 * Commits the batch of an asset before anything is sent: all trades that open or close now, and one order for what does
 * not cross internally. From then on its trades count as *opening* or being sold.
 *
 * @param due `ids` of the trades; `mayOpen` is false while operators halt trading: open trades are sold, and none open
 * @returns undefined when there is nothing to do, or it waits for the next batch
 */
export function planOrders(
  context: Context,
  { session, marketAt }: SessionSnapshot,
  market: Market,
  { ids, mayOpen }: { readonly ids: string; readonly mayOpen: boolean },
): Promise<Batch | undefined> {
  return inTransaction(context.db, async (tx) => {
    if (session.rates === null || !(await joinFollower(tx, session))) return undefined;
    // The last five minutes may have begun since the round started.
    if (await isClosing(context, tx)) return undefined;
    const ready = await lockIdleHolding(tx, market.symbol, context.now());
    if (!ready) return undefined;
    await lockPlanning(tx, market.symbol);
    const opening = mayOpen && (await isOpenTo(tx, market.symbol));
    const barredIds = opening ? await listBarred({ ...context, db: tx }, session.day) : [];
    const { tradeBps } = session.rates;
    const found = await findDue(tx, ids, marketAt, { tradeBps, mayOpen: opening, barredIds });
    // Together they could be a purchase again, which would hold up the sales.
    const isAlone =
      Number(found.sellCoins) > 0 && ready.rejections > 0 && (await wasPurchaseRefused(tx, market.symbol));
    const due = isAlone ? { ...found, buyMicros: 0n, openIds: '{}' } : found;
    if (due.buyMicros === 0n && Number(due.sellCoins) === 0) return undefined;
    const residual = residualOf(ready.held, await getMemberPositions(tx, market.symbol));
    const wanted = { buyMicros: due.buyMicros, sellCoins: due.sellCoins, residual };
    return writePlan(context, tx, { ...market, day: session.day, kind: 'orders', wanted, at: marketAt, trades: due });
  });
}

/** Rechecked because fetching prices took time: trades of a halted or inactive asset are not ordered. */
const isOpenTo = async (tx: Tx, symbol: string): Promise<boolean> =>
  (await findActiveHalt(tx)) === undefined && (await findAsset(tx, symbol))?.active === true;

/** Members rechecked likewise: frozen, paused, or at their self-imposed limit. */
const listBarred = async (context: Context, day: string): Promise<bigint[]> => [
  ...(await listFrozenMembers(context.db)),
  ...(await listLimitedMembers(context, day)),
];

/** Locks the asset's holding. Undefined while another batch of it is unfinished or its halt is backing off. */
export async function lockIdleHolding(tx: Tx, symbol: string, now: Date) {
  await insertHolding(tx, symbol);
  const holding = await lockHolding(tx, symbol);
  if (holding.retryAt !== null && now < holding.retryAt) return undefined;
  return (await hasUnfinished(tx, symbol)) ? undefined : holding;
}

type Planned = Market & Pick<NewBatch, 'day' | 'kind' | 'wanted' | 'at' | 'trades'>;

/** Stores the batch with its order or, when nothing is left to order, with its prices. */
export async function writePlan(context: Context, tx: Tx, planned: Planned): Promise<Batch | undefined> {
  const { quote, spreadBps, wanted } = planned;
  const terms = { ...planned.terms, isFeeInCoin: (await findFeeInCoin(tx)) ?? planned.terms.isFeeInCoin };
  const plan = planBatch(wanted, quote, terms, { spreadBps, maxSlippage: context.config.maxSlippage });
  if (plan === undefined) return undefined;
  const { symbol, day, kind, at, trades } = planned;
  const clientOrderId = plan.order === null ? null : newClientOrderId();
  const head = { symbol, day, kind, at, trades, quote, spreadBps, wanted, plan, takerFee: terms.takerFee };
  const batch = await insertBatch(tx, { ...head, clientOrderId, plannedAt: context.now() });
  if (plan.order !== null) return batch;
  const outcome = decideBatch(wanted, plan, nothingFilled, { quote, terms, spreadBps });
  await updateFilled(tx, batch.id, { filled: nothingFilled, outcome, at, exchangeOrderId: null });
  return { ...batch, state: 'filled' };
}

/**
 * Unique at the exchange, whatever other installations or restored databases use the account: 32 hexadecimal digits,
 * which every exchange accepts (docs/exchanges.md).
 */
export const newClientOrderId = (): string => randomBytes(16).toString('hex');
