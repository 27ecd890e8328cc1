import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import type { BookedFill, HedgeBooks, OrderBooks } from '../core/execution/hedge-booking.ts';
import type { HedgePlan, Pending } from '../core/execution/hedge-plan.ts';

export type HedgeOrder = OrderBooks & {
  readonly id: bigint;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly state: 'planned' | 'sent' | 'filled' | 'partly_filled' | 'rejected' | 'withdrawn';
  /** How often somebody began to send it. */
  readonly sends: number;
  /** When last; null when it certainly never reached the exchange. */
  readonly sentAt: Date | null;
  readonly filled: string;
};

const orderColumns = sql`
  id, client_order_id as "clientOrderId", symbol, side, state, quantity::text as quantity, members_cash as "membersCash",
  sends, sent_at as "sentAt", filled::text as filled, held_change::text as "heldChange", answered_cash as "answeredCash"`;

/** Orders that may be at the exchange without our knowing all of it. */
export async function listUnfinishedOrders(db: Db): Promise<HedgeOrder[]> {
  const { rows } = await sql<HedgeOrder>`
    select ${orderColumns} from trading.hedge_order where state in ('planned', 'sent') order by symbol`.execute(db);
  return rows;
}

export async function lockOrder(tx: Tx, id: bigint): Promise<HedgeOrder> {
  const { rows } = await sql<HedgeOrder>`
    select ${orderColumns} from trading.hedge_order where id = ${id} for update`.execute(tx);
  return rows[0] as HedgeOrder;
}

export type PendingAsset = Pending & {
  readonly symbol: string;
  readonly retryAt: Date | null;
  readonly isOrdered: boolean;
};

const pendingRows = sql`
  select coalesce(e.symbol, h.symbol) as symbol,
    (coalesce(e.quantity, 0) - coalesce(h.held, 0))::text as quantity,
    coalesce(e.members_cash, 0) - coalesce(h.members_cash, 0) as "membersCash",
    h.retry_at as "retryAt",
    exists (select from trading.hedge_order o where o.symbol = e.symbol and o.state in ('planned', 'sent')) as "isOrdered"
  from trading.exposure e full join trading.hedge h on h.symbol = e.symbol`;

/** Assets whose positions and hedge are not the same, in coins or in dollars. */
export async function listPending(db: Db): Promise<PendingAsset[]> {
  const { rows } = await sql<PendingAsset>`
    select * from (${pendingRows}) as p where quantity::numeric <> 0 or "membersCash" <> 0 order by symbol`.execute(db);
  return rows;
}

export async function insertHedge(tx: Tx, symbol: string): Promise<void> {
  await sql`insert into trading.hedge (symbol) values (${symbol}) on conflict do nothing`.execute(tx);
}

export type LockedHedge = HedgeBooks & { readonly nettings: number; readonly rejections: number };

/** The hedge of an asset, locked: whoever plans or books it takes turns. */
export async function lockHedge(tx: Tx, symbol: string): Promise<LockedHedge> {
  const { rows } = await sql<LockedHedge>`
    select held::text as held, members_cash as "membersCash", venue_cash::text as "venueCash", result, nettings, rejections
    from trading.hedge where symbol = ${symbol} for update`.execute(tx);
  return rows[0] as LockedHedge;
}

/** What is pending, as of now: asked after `lockHedge`, so that what others booked before is counted. */
export async function getPending(tx: Tx, symbol: string): Promise<PendingAsset> {
  const { rows } = await sql<PendingAsset>`select * from (${pendingRows}) as p where symbol = ${symbol}`.execute(tx);
  return rows[0] as PendingAsset;
}

export type NewOrder = HedgePlan & {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly mark: string;
  readonly plannedAt: Date;
};

export async function insertOrder(tx: Tx, order: NewOrder): Promise<HedgeOrder> {
  const { rows } = await sql<HedgeOrder>`
    insert into trading.hedge_order (client_order_id, symbol, side, quantity, members_cash, mark, planned_at)
    values (${order.clientOrderId}, ${order.symbol}, ${order.side}, ${order.quantity}::numeric, ${order.membersCash},
      ${order.mark}::numeric, ${order.plannedAt})
    returning ${orderColumns}`.execute(tx);
  return rows[0] as HedgeOrder;
}

/**
 * Says that the order is about to be sent. Of two workers that saw the same order one may.
 *
 * @returns whether this call may send it
 */
export async function claimSend(db: Db, seen: HedgeOrder, sentAt: Date): Promise<boolean> {
  const { rows } = await sql`
    update trading.hedge_order set sends = sends + 1, sent_at = ${sentAt}
    where id = ${seen.id} and state = 'planned' and sends = ${seen.sends} returning 1`.execute(db);
  return rows.length > 0;
}

/** The exchange said that it did not take this sending: the order may be sent again without waiting. */
export async function updateNotSent(db: Db, id: bigint, sends: number): Promise<void> {
  await sql`
    update trading.hedge_order set sent_at = null where id = ${id} and state = 'planned' and sends = ${sends}`.execute(
    db,
  );
}

/** The exchange has it: from now on it is only asked about, never sent again. */
export async function updateAccepted(db: Db, id: bigint, exchangeOrderId: string): Promise<void> {
  await sql`
    update trading.hedge_order set state = 'sent', exchange_order_id = ${exchangeOrderId}
    where id = ${id} and state = 'planned'`.execute(db);
}

/** @returns whether it was still unfinished and never accepted: of two workers one gives it up */
export async function updateGivenUp(
  tx: Tx,
  order: HedgeOrder,
  given: { state: 'rejected' | 'withdrawn'; reason: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update trading.hedge_order set state = ${given.state}, reason = ${given.reason}, finished_at = ${given.at}
    where id = ${order.id} and state = 'planned' and sends = ${order.sends} returning 1`.execute(tx);
  return rows.length > 0;
}

export async function updateBackOff(tx: Tx, symbol: string, rejections: number, retryAt: Date): Promise<void> {
  await sql`
    update trading.hedge set rejections = ${rejections}, retry_at = ${retryAt} where symbol = ${symbol}`.execute(tx);
}

export async function listBookedTrades(tx: Tx, orderId: bigint): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select exchange_trade_id as id from trading.hedge_fill where order_id = ${orderId}`.execute(tx);
  return rows.map((row) => row.id);
}

export type NewFill = {
  readonly orderId: bigint;
  readonly tradeId: string;
  readonly quantity: string;
  readonly cost: string;
  readonly feeQuantity: string;
  readonly feeCoin: string | null;
  readonly filledAt: Date;
  readonly booked: BookedFill;
  readonly bookedAt: Date;
};

export async function insertFill(tx: Tx, fill: NewFill): Promise<void> {
  const { booked } = fill;
  await sql`
    insert into trading.hedge_fill (order_id, exchange_trade_id, quantity, cost, fee_quantity, fee_coin, fee_value,
      held_change, answered_cash, result, filled_at, booked_at)
    values (${fill.orderId}, ${fill.tradeId}, ${fill.quantity}::numeric, ${fill.cost}::numeric, ${fill.feeQuantity}::numeric,
      ${fill.feeCoin}::text, ${booked.feeValue}::bigint, ${booked.heldChange}::numeric, ${booked.answeredCash},
      ${booked.result}, ${fill.filledAt}, ${fill.bookedAt})`.execute(tx);
}

export async function updateHedge(tx: Tx, symbol: string, hedge: HedgeBooks): Promise<void> {
  await sql`
    update trading.hedge set held = ${hedge.held}::numeric, members_cash = ${hedge.membersCash},
      venue_cash = ${hedge.venueCash}::numeric, result = ${hedge.result}
    where symbol = ${symbol}`.execute(tx);
}

/** A fill came: the asset's orders are taken again. */
export async function updateBackOffEnded(tx: Tx, symbol: string): Promise<void> {
  await sql`update trading.hedge set rejections = 0, retry_at = null where symbol = ${symbol}`.execute(tx);
}

export async function updateNettings(tx: Tx, symbol: string, nettings: number): Promise<void> {
  await sql`update trading.hedge set nettings = ${nettings} where symbol = ${symbol}`.execute(tx);
}

export type Progress = {
  readonly state: HedgeOrder['state'];
  readonly exchangeOrderId: string;
  readonly filled: string;
  readonly books: OrderBooks;
  readonly reason: string | null;
  readonly finishedAt: Date | null;
};

export async function updateProgress(tx: Tx, id: bigint, progress: Progress): Promise<void> {
  await sql`
    update trading.hedge_order set state = ${progress.state}, exchange_order_id = ${progress.exchangeOrderId},
      filled = ${progress.filled}::numeric, held_change = ${progress.books.heldChange}::numeric,
      answered_cash = ${progress.books.answeredCash}, reason = ${progress.reason}::text,
      finished_at = ${progress.finishedAt}::timestamptz
    where id = ${id}`.execute(tx);
}

export type HeldCoins = { readonly symbol: string; readonly held: string };

export async function listHeld(db: Db): Promise<HeldCoins[]> {
  const { rows } = await sql<HeldCoins>`
    select symbol, held::text as held from trading.hedge order by symbol`.execute(db);
  return rows;
}

export type LastRejection = { readonly symbol: string; readonly reason: string; readonly at: Date };

/** The newest rejection of each asset whose orders are being rejected now. */
export async function listRejections(db: Db): Promise<LastRejection[]> {
  const { rows } = await sql<LastRejection>`
    select h.symbol, o.reason, o.finished_at as at
    from trading.hedge h
    cross join lateral (
      select reason, finished_at from trading.hedge_order
      where symbol = h.symbol and state = 'rejected' order by id desc limit 1) as o
    where h.rejections > 0 order by h.symbol`.execute(db);
  return rows;
}
