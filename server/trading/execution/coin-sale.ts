import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, hasRow, listRows, listValues } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { saleOrder } from '../core/execution/batch-plan.ts';
import { Exact } from '../core/price.ts';
import type { SessionSnapshot } from '../session/session-sql.ts';
import { type Batch, insertBatch, lockBatch, updateBooked } from './batch-sql.ts';
import { lockHolding } from './holding-sql.ts';
import { lockIdleHolding, type Market } from './plan-batch.ts';

/** A sale of the house's own coins at the exchange, approved by two operators; one order. Decimal text. */
export type CoinSale = {
  readonly id: bigint;
  readonly reference: string;
  readonly gateway: string;
  readonly symbol: string;
  readonly quantity: string;
  /** Minimum dollars per coin. */
  readonly limitPrice: string;
};

export type EndedSale = CoinSale & {
  /** Coins sold, and dollars received net of the exchange's fee. */
  readonly sold: string;
  readonly dollars: string;
};

/** `waiting`: not ordered. `ordered`: at the exchange. `sold`: at least in part. `unsold`: ended without a fill. */
export type SaleState = 'waiting' | 'ordered' | 'sold' | 'unsold';
export type ShownSale = Pick<CoinSale, 'reference'> & {
  readonly state: SaleState;
  readonly sold: string | null;
  readonly dollars: string | null;
  readonly reason: string | null;
};

export const hasWaitingSale = (db: Db, symbol: string) =>
  hasRow(db)`select 1 from trading.coin_sale where symbol = ${symbol} and ended_at is null`;

/** Queues a sale for one of the next rounds with the exchange. Undefined while another sale of the asset is pending. */
export const insertCoinSale = (tx: Tx, sale: Omit<CoinSale, 'id'>) =>
  findValue(tx)<bigint>`
    insert into trading.coin_sale (reference, gateway, symbol, quantity, limit_price)
    values (${sale.reference}, ${sale.gateway}, ${sale.symbol}, ${sale.quantity}::numeric, ${sale.limitPrice}::numeric)
    on conflict (symbol) where ended_at is null do nothing returning id`;

/** @param reference of the treasury move behind the sale */
export const findCoinSaleId = (db: Db, reference: string) =>
  findValue(db)<bigint>`
    select id from trading.coin_sale where reference = ${reference}`;

export const listCoinSales = (db: Db, references: readonly string[]) =>
  listRows(db)<ShownSale>`
    select reference, trim_scale(sold)::text as sold, dollars::text as dollars, reason,
      case when ended_at is null then case when batch_id is null then 'waiting' else 'ordered' end
        when sold > 0 then 'sold' else 'unsold' end as state
    from trading.coin_sale where reference = any(${references}::text[])`;

const columns = sql`id, reference, gateway, symbol, quantity::text as quantity, limit_price::text as "limitPrice"`;

export const listWaitingSales = (db: Db) =>
  listRows(db)<CoinSale>`
    select ${columns} from trading.coin_sale where batch_id is null and ended_at is null order by id`;

/**
 * Deterministic across processes and database copies: an order sent before is found at the exchange, not sent again.
 */
const clientOrderIdOf = (reference: string): string =>
  createHash('sha256').update(`coin sale ${reference}`).digest('hex').slice(0, 32);

/**
 * Commits the order of a sale as its own batch before anything is sent. A sale below the smallest order, or of coins that
 * the exchange does not have beside the ledger's, ends unsold.
 *
 * @param free coins of the asset that the exchange has for orders
 * @returns undefined while another batch of the asset is unfinished, or the exchange halted the asset
 */
export function planCoinSale(
  context: Context,
  { session, marketAt }: SessionSnapshot,
  { symbol, quote, terms, spreadBps }: Market,
  { id }: CoinSale,
  free: string,
): Promise<Batch | undefined> {
  return inTransaction(context.db, async (tx) => {
    const holding = await lockIdleHolding(tx, symbol, context.now());
    if (holding === undefined) return undefined;
    const sale = await lockWaiting(tx, id);
    if (sale === undefined) return undefined;
    const order = saleOrder(sale, terms);
    const unsold = (reason: string) => end(tx, id, { sold: '0', dollars: '0', reason }, context.now());
    if (order === null) {
      await unsold('It is less than the smallest order.');
      return undefined;
    }
    if (new Exact(free).minus(order.quantity).lt(holding.held)) {
      await unsold('The coins have not arrived: the exchange has no more than is held for members.');
      return undefined;
    }
    const batch = await insertBatch(tx, {
      symbol,
      day: session.day,
      kind: 'house',
      at: marketAt,
      plannedAt: context.now(),
      quote,
      spreadBps,
      takerFee: terms.takerFee,
      clientOrderId: clientOrderIdOf(sale.reference),
      wanted: { buyMicros: 0n, sellCoins: order.quantity, residual: '0' },
      plan: { buyCoins: '0', order, isWhole: true },
    });
    await execute(tx)`update trading.coin_sale set batch_id = ${batch.id} where id = ${id}`;
    return batch;
  });
}

const lockWaiting = (tx: Tx, id: bigint) =>
  findRow(tx)<CoinSale>`
    select ${columns} from trading.coin_sale where id = ${id} and batch_id is null and ended_at is null for update`;

/** Ends a sale of coins that the exchange does not list, unless it was ordered meanwhile. */
export function endUnlisted({ db, now }: Context, { id }: CoinSale): Promise<void> {
  const reason = 'The exchange does not list it.';
  return inTransaction(db, async (tx) => {
    if ((await lockWaiting(tx, id)) !== undefined) await end(tx, id, { sold: '0', dollars: '0', reason }, now());
  });
}

/** Stores why an ordered sale is not booked yet. @returns whether the reason is a new one */
export const updateUnbooked = (tx: Tx, batchId: bigint, reason: string) =>
  hasRow(tx)`
    update trading.coin_sale set reason = ${reason}
    where batch_id = ${batchId} and ended_at is null and reason is distinct from ${reason} returning 1`;

/** Sales whose order is finished but not booked. */
export const listDoneSales = (db: Db) =>
  listValues(db)<bigint>`
    select s.id from trading.coin_sale s join trading.batch b on b.id = s.batch_id
    where s.ended_at is null and b.state in ('filled', 'withdrawn') order by s.id`;

/**
 * Ends a sale whose order is finished; the caller books it in the same transaction. Locks the asset's holding.
 * Undefined when another worker has already ended it.
 */
export async function endCoinSale(tx: Tx, id: bigint, now: Date): Promise<EndedSale | undefined> {
  const sale = await findRow(tx)<CoinSale & { readonly batchId: bigint }>`
    select ${columns}, batch_id as "batchId" from trading.coin_sale where id = ${id} and ended_at is null and batch_id is not null for update`;
  if (sale === undefined) return undefined;
  await lockHolding(tx, sale.symbol);
  const batch = await lockBatch(tx, sale.batchId);
  if (batch.state !== 'filled' && batch.state !== 'withdrawn') return undefined;
  const { coins: sold, dollars } = batch.filled;
  const reason = batch.state === 'withdrawn' ? batch.reason : null;
  if (batch.state === 'filled') await updateBooked(tx, batch.id, now);
  await end(tx, id, { sold, dollars, reason }, now);
  return { ...sale, sold, dollars };
}

const end = (
  tx: Tx,
  id: bigint,
  { sold, dollars, reason }: Pick<ShownSale, 'sold' | 'dollars' | 'reason'>,
  now: Date,
) =>
  execute(tx)`
    update trading.coin_sale set sold = ${sold}::numeric, dollars = ${dollars}::numeric, reason = ${reason}, ended_at = ${now}
    where id = ${id}`;
