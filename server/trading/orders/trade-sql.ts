import { type RawBuilder, sql } from 'kysely';
import type { CancelReason, CloseCause, CloseReason, TradeSource } from '#contract/trading/trading.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { findRow, findValue, getRow, listRows } from '#server/db/rows.ts';
import type { SidePrice } from '../core/execution/batch-outcome.ts';
import type { StopPermilles, StoredStops } from '../core/stops/stops.ts';
import { coins, isUnfinished, lockAgainstPlanning, stopColumns } from '../session/opening-sql.ts';

/** Stored states. An open trade of a settling session is shown as `settling`. */
export const storedStates = ['queued', 'open', 'settled', 'cancelled'] as const;
export type StoredState = (typeof storedStates)[number];

export type TradeRow = StoredStops & {
  readonly id: bigint;
  readonly member_id: bigint;
  readonly symbol: string;
  readonly wallet: TradeSource;
  readonly plan_id: bigint | null;
  readonly state: StoredState;
  readonly amount: bigint;
  readonly placed_at: Date;
  readonly requested_at: Date;
  readonly fee: bigint | null;
  readonly opened_at: Date | null;
  readonly open_price: string | null;
  readonly close_requested_at: Date | null;
  readonly close_cause: CloseCause | null;
  readonly closed_at: Date | null;
  readonly close_price: string | null;
  readonly close_reason: CloseReason | null;
  readonly gross: bigint | null;
  readonly performance_fee: bigint | null;
  readonly result: bigint | null;
  readonly cancel_reason: CancelReason | null;
  readonly stop_loss_price: string | null;
  readonly take_profit_price: string | null;
  readonly trailing_since: Date | null;
  /** Whether a batch is opening it now. */
  readonly is_opening: boolean;
  /** Not sold by the next opening: it is being sold, and closes once it is. */
  readonly carried: boolean;
  readonly execution: SidePrice | null;
  readonly close_execution: SidePrice | null;
};

/** How an exchange filled the purchase of trade `t`, as a `SidePrice`; null on paper or before the fill. */
export const openExecution = sql`
  case when t.open_batch_id is not null then (
    select jsonb_build_object('fill', b.buy_fill::text, 'net', b.buy_net::text, 'price', b.buy_price::text)
    from trading.batch b where b.id = t.open_batch_id) end`;

/** The day of the session in which trade `t` opened on paper: at an exchange its purchase may be booked a day late. */
export const openedOn = sql`(t.opened_at at time zone 'UTC')::date`;

/**
 * The day of the session with which trade `t` is sold: its own, for a carried trade the earlier one whose mark closed it;
 * null for a carried trade that was sold by an order of its own.
 */
export const soldWith = sql`
  case when not t.carried or t.state = 'open' then t.session_day else (
    select m.session_day from trading.closing_mark m
    where m.symbol = t.symbol and m.is_carried and m.session_day < t.session_day and m.marked_at = t.closed_at
    order by m.session_day desc limit 1) end`;

/** The day of the session whose rate the fee of trade `t` has: that of its order, or on paper that in which it opened. */
export const ratedOn = sql`
  coalesce((select b.session_day from trading.batch b where b.id = t.open_batch_id), ${openedOn})`;

/** By coins, of what was sold before the last part and of that part. */
const averageWith = (before: RawBuilder<unknown>, last: RawBuilder<unknown>) => sql`
  case when t.sold_coins is null then ${last}
    else round((${before} + (bought.coins - t.sold_coins) * ${last}) / bought.coins, 12) end`;

/**
 * How an exchange filled its sale, as a `SidePrice`: in a closing sale at the average of the asset, and when it was sold
 * in several parts, at the average of all.
 */
export const closeExecution = sql`
  case when t.open_batch_id is not null and t.state = 'settled' then (
    select jsonb_build_object('fill', (${averageWith(sql`t.sold_cost`, sql`part.fill`)})::text,
      'net', (${averageWith(sql`t.sold_dollars`, sql`part.net`)})::text, 'price', t.close_price::text)
    from (
      select b.sell_fill as fill, b.sell_net as net from trading.batch b where b.id = t.close_batch_id
      union all
      select round(s.cost / s.sold, 12), round(s.dollars / s.sold, 12) from trading.closing_sale s
      where t.close_batch_id is null and s.symbol = t.symbol and s.session_day = ${soldWith} and s.sold > 0) as part
    cross join lateral (select ${coins} as coins from (select t.amount - t.fee as net, t.open_price) as position) as bought) end`;

const isOpening = sql`
  (t.state = 'queued' and exists (
    select from trading.batch b
    where b.symbol = t.symbol and ${isUnfinished} and t.id = any(b.open_ids)))`;

const columns = sql`
  t.id, t.member_id, t.symbol, t.wallet, t.plan_id, t.state, t.amount, t.placed_at, t.requested_at, t.fee, t.opened_at,
  t.open_price, t.close_requested_at, t.close_cause, t.closed_at, t.close_price, t.close_reason, t.gross, t.performance_fee,
  t.result, t.cancel_reason, t.stop_loss_permille, t.take_profit_permille, t.trailing_stop_permille, t.stop_loss_price,
  t.take_profit_price, t.trailing_since, t.carried, ${isOpening} as is_opening,
  ${openExecution} as execution, ${closeExecution} as close_execution`;

export const listStoredStates = (db: Db, ids: readonly bigint[]) =>
  listRows(db)<{ id: bigint; state: StoredState; isOpening: boolean }>`
    select t.id, t.state, ${isOpening} as "isOpening" from trading.trade t where t.id = any (${[...ids]}::bigint[])`;

/** Locks one trade of its member against jobs, concurrent calls of the member and batch planning, then reads it. */
export async function lockTrade(tx: Tx, memberId: bigint, id: bigint): Promise<TradeRow | undefined> {
  const isOwn = sql`t.id = ${id} and t.member_id = ${memberId}`;
  const locked = await findRow(tx)<{ symbol: string }>`select t.symbol from trading.trade t where ${isOwn} for update`;
  if (locked === undefined) return undefined;
  await lockAgainstPlanning(tx, locked.symbol);
  return findRow(tx)<TradeRow>`select ${columns} from trading.trade t where ${isOwn}`;
}

export const updateCancelledByMember = (tx: Tx, id: bigint, marketAt: Date) =>
  getRow(tx)<TradeRow>`
    update trading.trade t set state = 'cancelled', cancelled_at = ${marketAt}, cancel_reason = 'member'
    where t.id = ${id} returning ${columns}`;

export const updateCloseRequested = (tx: Tx, id: bigint, marketAt: Date) =>
  getRow(tx)<TradeRow>`
    update trading.trade t set close_requested_at = ${marketAt}, close_cause = 'close_now' where t.id = ${id} returning ${columns}`;

/**
 * Replaces the stops of a trade. The levels of a queued trade are set when it opens.
 *
 * @param at ticks after market time `since` can trigger them; a trailing stop counts from the mark of `trailingSince`
 */
export const updateStops = (
  tx: Tx,
  id: bigint,
  stops: StopPermilles,
  at: { readonly since: Date; readonly trailingSince: Date | null },
) =>
  getRow(tx)<TradeRow>`
    with stops as (
      select ${stops.stopLoss}::int as stop_loss_permille, ${stops.takeProfit}::int as take_profit_permille,
        ${stops.trailingStop}::int as trailing_stop_permille)
    update trading.trade t set stop_loss_permille = stops.stop_loss_permille, take_profit_permille = stops.take_profit_permille,
      trailing_stop_permille = stops.trailing_stop_permille,
      ${stopColumns(sql`stops`, {
        price: sql`t.open_price`,
        since: sql`case when t.state = 'open' then ${at.since}::timestamptz end`,
        trailingSince: sql`case when t.state = 'open' then ${at.trailingSince}::timestamptz end`,
      })}
    from stops where t.id = ${id} returning ${columns}`;

/** Of a `bigint`. */
const LAST_ID = 2n ** 63n - 1n;

type TradeFilter = {
  readonly memberId: bigint;
  readonly states: readonly StoredState[];
  readonly symbol?: string | undefined;
  /** Restricts queued trades to those that a batch is opening now, or to the others; undefined for all. */
  readonly isOpening?: boolean | undefined;
  readonly before?: bigint | undefined;
  readonly limit: number;
};

/**
 * Newest first. Reads the end of one index range per requested state. Compared as a row and ordered by all three, because by
 * equality the planner may read all trades by id instead, until it has found a page of this member's in that state.
 */
export async function listTradeRows(db: Db, filter: TradeFilter): Promise<TradeRow[]> {
  const place = sql`(t.member_id, t.state, t.id)`;
  const isWanted: RawBuilder<unknown>[] = [
    sql`${place} > (${filter.memberId}::bigint, wanted.state, 0::bigint)`,
    sql`${place} < (${filter.memberId}::bigint, wanted.state, ${filter.before ?? LAST_ID}::bigint)`,
  ];
  if (filter.symbol !== undefined) isWanted.push(sql`t.symbol = ${filter.symbol}`);
  if (filter.isOpening !== undefined) isWanted.push(sql`${isOpening} = ${filter.isOpening}`);
  return listRows(db)<TradeRow>`
    select ${columns}
    from unnest(${filter.states}::text[]) as wanted(state)
    cross join lateral (
      select * from trading.trade t where ${sql.join(isWanted, sql` and `)}
      order by t.member_id desc, t.state desc, t.id desc limit ${filter.limit}) as t
    order by t.id desc limit ${filter.limit}`;
}

export const findTradeOwner = (db: Db, id: bigint): Promise<bigint | undefined> =>
  findValue(db)`select member_id from trading.trade where id = ${id}`;

/** Trades by id, restricted to one member. */
export const listTradesById = (db: Db, memberId: bigint, ids: readonly bigint[]) =>
  listRows(db)<TradeRow>`
    select ${columns} from trading.trade t where t.id = any(${ids}::bigint[]) and t.member_id = ${memberId}`;

/** The queued or open trade of each plan, if any. */
export const listLiveTradesOfPlans = (db: Db, planIds: readonly bigint[]) =>
  listRows(db)<TradeRow>`
    select ${columns} from trading.trade t
    where t.plan_id = any(${planIds}::bigint[]) and t.plan_id is not null and t.state in ('queued', 'open')`;
