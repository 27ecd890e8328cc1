import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getRow, hasRow, listRows, listValues } from '#server/db/rows.ts';
import type { BookedFill, HedgeBooks, OrderBooks } from '../core/execution/hedge-booking.ts';
import type { HedgePlan, Pending } from '../core/execution/hedge-plan.ts';
import type { VenueFill } from './venue-port.ts';

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
export const listUnfinishedOrders = (db: Db) =>
  listRows(db)<HedgeOrder>`
    select ${orderColumns} from trading.hedge_order where state in ('planned', 'sent') order by symbol`;

export const lockOrder = (tx: Tx, id: bigint) =>
  getRow(tx)<HedgeOrder>`
    select ${orderColumns} from trading.hedge_order where id = ${id} for update`;

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
export const listPending = (db: Db) =>
  listRows(db)<PendingAsset>`
    select * from (${pendingRows}) as p where quantity::numeric <> 0 or "membersCash" <> 0 order by symbol`;

export const insertHedge = (tx: Tx, symbol: string) =>
  execute(tx)`insert into trading.hedge (symbol) values (${symbol}) on conflict do nothing`;

export type LockedHedge = HedgeBooks & { readonly nettings: number; readonly rejections: number };

/** The hedge of an asset, locked: whoever plans or books it takes turns. */
export const lockHedge = (tx: Tx, symbol: string) =>
  getRow(tx)<LockedHedge>`
    select held::text as held, members_cash as "membersCash", venue_cash::text as "venueCash", result, nettings, rejections
    from trading.hedge where symbol = ${symbol} for update`;

/** What is pending, as of now: asked after `lockHedge`, so that what others booked before is counted. */
export const getPending = (tx: Tx, symbol: string) =>
  getRow(tx)<PendingAsset>`select * from (${pendingRows}) as p where symbol = ${symbol}`;

export type NewOrder = HedgePlan & {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly mark: string;
  readonly plannedAt: Date;
};

export const insertOrder = (tx: Tx, order: NewOrder) =>
  getRow(tx)<HedgeOrder>`
    insert into trading.hedge_order (client_order_id, symbol, side, quantity, members_cash, mark, planned_at)
    values (${order.clientOrderId}, ${order.symbol}, ${order.side}, ${order.quantity}::numeric, ${order.membersCash},
      ${order.mark}::numeric, ${order.plannedAt})
    returning ${orderColumns}`;

/**
 * Says that the order is about to be sent. Of two workers that saw the same order one may.
 *
 * @returns whether this call may send it
 */
export const claimSend = (db: Db, seen: HedgeOrder, sentAt: Date) =>
  hasRow(db)`
    update trading.hedge_order set sends = sends + 1, sent_at = ${sentAt}
    where id = ${seen.id} and state = 'planned' and sends = ${seen.sends} returning 1`;

/** The exchange said that it did not take this sending: the order may be sent again without waiting. */
export const updateNotSent = (db: Db, id: bigint, sends: number) =>
  execute(db)`
    update trading.hedge_order set sent_at = null where id = ${id} and state = 'planned' and sends = ${sends}`;

/** The exchange has it: from now on it is only asked about, never sent again. */
export const updateAccepted = (db: Db, id: bigint, exchangeOrderId: string) =>
  execute(db)`
    update trading.hedge_order set state = 'sent', exchange_order_id = ${exchangeOrderId}
    where id = ${id} and state = 'planned'`;

/** @returns whether it was still unfinished and never accepted: of two workers one gives it up */
export const updateGivenUp = (
  tx: Tx,
  order: HedgeOrder,
  given: { state: 'rejected' | 'withdrawn'; reason: string; at: Date },
) =>
  hasRow(tx)`
    update trading.hedge_order set state = ${given.state}, reason = ${given.reason}, finished_at = ${given.at}
    where id = ${order.id} and state = 'planned' and sends = ${order.sends} returning 1`;

export const updateBackOff = (tx: Tx, symbol: string, rejections: number, retryAt: Date | null) =>
  execute(tx)`
    update trading.hedge set rejections = ${rejections}, retry_at = ${retryAt} where symbol = ${symbol}`;

export const listBookedTrades = (tx: Tx, orderId: bigint) =>
  listValues(tx)<string>`
    select exchange_trade_id as id from trading.hedge_fill where order_id = ${orderId}`;

export type NewFill = VenueFill & { readonly orderId: bigint; readonly booked: BookedFill; readonly bookedAt: Date };

export const insertFill = (tx: Tx, { booked, ...fill }: NewFill) =>
  execute(tx)`
    insert into trading.hedge_fill (order_id, exchange_trade_id, quantity, cost, fee_quantity, fee_coin, fee_value,
      held_change, answered_cash, result, filled_at, booked_at)
    values (${fill.orderId}, ${fill.tradeId}, ${fill.quantity}::numeric, ${fill.cost}::numeric, ${fill.feeQuantity}::numeric,
      ${fill.feeCoin}::text, ${booked.feeValue}::bigint, ${booked.heldChange}::numeric, ${booked.answeredCash},
      ${booked.result}, ${fill.filledAt}, ${fill.bookedAt})`;

export const updateHedge = (tx: Tx, symbol: string, hedge: HedgeBooks & { readonly nettings: number }) =>
  execute(tx)`
    update trading.hedge set held = ${hedge.held}::numeric, members_cash = ${hedge.membersCash},
      venue_cash = ${hedge.venueCash}::numeric, result = ${hedge.result}, nettings = ${hedge.nettings}
    where symbol = ${symbol}`;

export type Progress = {
  readonly state: HedgeOrder['state'];
  readonly exchangeOrderId: string;
  readonly filled: string;
  readonly books: OrderBooks;
  readonly reason: string | null;
  readonly finishedAt: Date | null;
};

export const updateProgress = (tx: Tx, id: bigint, progress: Progress) =>
  execute(tx)`
    update trading.hedge_order set state = ${progress.state}, exchange_order_id = ${progress.exchangeOrderId},
      filled = ${progress.filled}::numeric, held_change = ${progress.books.heldChange}::numeric,
      answered_cash = ${progress.books.answeredCash}, reason = ${progress.reason}::text,
      finished_at = ${progress.finishedAt}::timestamptz
    where id = ${id}`;

export type HeldCoins = { readonly symbol: string; readonly held: string };

export const listHeld = (db: Db) =>
  listRows(db)<HeldCoins>`
    select symbol, held::text as held from trading.hedge order by symbol`;

export type LastRejection = { readonly symbol: string; readonly reason: string; readonly at: Date };

/** The newest rejection of each asset whose orders are being rejected now. */
export const listRejections = (db: Db) =>
  listRows(db)<LastRejection>`
    select h.symbol, o.reason, o.finished_at as at
    from trading.hedge h
    cross join lateral (
      select reason, finished_at from trading.hedge_order
      where symbol = h.symbol and state = 'rejected' order by id desc limit 1) as o
    where h.rejections > 0 order by h.symbol`;
