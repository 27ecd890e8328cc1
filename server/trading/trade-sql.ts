import { type RawBuilder, sql } from 'kysely';
import type { WalletType } from '#contract/rules.ts';
import type { CancelReason } from '#contract/trading.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { type Once, runStatementOnce } from '#server/db/tx.ts';
import { memberAccount, postingEach, refuseOverdraft } from '#server/ledger/index.ts';
import { marketTime } from '#server/market/index.ts';

/** States as they are stored; an open trade of a session that settles is shown as `settling`. */
export const storedStates = ['queued', 'open', 'settled', 'cancelled'] as const;
export type StoredState = (typeof storedStates)[number];

export type TradeRow = {
  readonly id: bigint;
  readonly member_id: bigint;
  readonly symbol: string;
  readonly wallet: WalletType;
  readonly state: StoredState;
  readonly amount: bigint;
  readonly placed_at: Date;
  readonly requested_at: Date;
  readonly fee: bigint | null;
  readonly opened_at: Date | null;
  readonly open_price: string | null;
  readonly close_requested_at: Date | null;
  readonly closed_at: Date | null;
  readonly close_price: string | null;
  readonly close_reason: 'session_close' | 'close_now' | 'late_price' | null;
  readonly gross: bigint | null;
  readonly performance_fee: bigint | null;
  readonly result: bigint | null;
  readonly cancel_reason: CancelReason | null;
};

const columns = sql.raw(
  [
    'id',
    'member_id',
    'symbol',
    'wallet',
    'state',
    'amount',
    'placed_at',
    'requested_at',
    'fee',
    'opened_at',
    'open_price',
  ]
    .concat([
      'close_requested_at',
      'closed_at',
      'close_price',
      'close_reason',
      'gross',
      'performance_fee',
      'result',
      'cancel_reason',
    ])
    .map((name) => `t.${name}`)
    .join(', '),
);

export type NewTrade = Pick<TradeRow, 'member_id' | 'symbol' | 'wallet' | 'amount' | 'placed_at'>;

/**
 * Writes the trade and moves its amount into escrow, once per key, in one statement: nothing is called more often. It
 * is dated by the market clock of this very statement.
 *
 * @param reply what is answered, but for the id
 */
export function insertPlaced<T extends object>(
  db: Db,
  once: Once | undefined,
  trade: NewTrade,
  reply: T,
): Promise<T & { id: string }> {
  const drafts = sql`
    select 'trade/' || id || '/place', ${memberAccount(sql`member_id`, trade.wallet)}, ${memberAccount(sql`member_id`, 'trade_escrow')},
      amount, 'trade_place', 'trade ' || id, requested_at, null::text
    from placed`;
  return refuseOverdraft(
    runStatementOnce<T & { id: string }>(db, once, {
      work: sql`
        placed as (
          insert into trading.trade (member_id, symbol, wallet, amount, placed_at, requested_at)
          select ${trade.member_id}::bigint, ${trade.symbol}, ${trade.wallet}, ${trade.amount}::bigint,
            ${trade.placed_at}::timestamptz, ${marketTime}
          from claimed
          returning id, member_id, amount, requested_at),
        posted as materialized (select count(*) from ${postingEach(drafts)})`,
      reply: sql`
        select ${JSON.stringify(reply)}::jsonb || jsonb_build_object('id', placed.id::text) as reply from placed, posted`,
    }),
  );
}

/** One trade of its member, locked against jobs and the member's other calls. */
export async function lockTrade(tx: Tx, memberId: bigint, id: bigint): Promise<TradeRow | undefined> {
  const { rows } = await sql<TradeRow>`
    select ${columns} from trading.trade t where t.id = ${id} and t.member_id = ${memberId} for update`.execute(tx);
  return rows[0];
}

export async function updateCancelledByMember(tx: Tx, id: bigint, marketAt: Date): Promise<TradeRow> {
  const { rows } = await sql<TradeRow>`
    update trading.trade t set state = 'cancelled', cancelled_at = ${marketAt}, cancel_reason = 'member'
    where t.id = ${id} returning ${columns}`.execute(tx);
  return rows[0] as TradeRow;
}

export async function updateCloseRequested(tx: Tx, id: bigint, marketAt: Date): Promise<TradeRow> {
  const { rows } = await sql<TradeRow>`
    update trading.trade t set close_requested_at = ${marketAt} where t.id = ${id} returning ${columns}`.execute(tx);
  return rows[0] as TradeRow;
}

export type TradeFilter = {
  readonly memberId: bigint;
  readonly states: readonly StoredState[];
  readonly symbol: string | undefined;
  readonly before: bigint | undefined;
  readonly limit: number;
};

/** Newest first: the ends of as many index ranges as there are states asked for. */
export async function listTradeRows(db: Db, filter: TradeFilter): Promise<TradeRow[]> {
  const isWanted: RawBuilder<unknown>[] = [sql`t.member_id = ${filter.memberId}`, sql`t.state = wanted.state`];
  if (filter.symbol !== undefined) isWanted.push(sql`t.symbol = ${filter.symbol}`);
  if (filter.before !== undefined) isWanted.push(sql`t.id < ${filter.before}`);
  const { rows } = await sql<TradeRow>`
    select ${columns}
    from unnest(${filter.states}::text[]) as wanted(state)
    cross join lateral (
      select * from trading.trade t where ${sql.join(isWanted, sql` and `)} order by t.id desc limit ${filter.limit}) as t
    order by t.id desc limit ${filter.limit}`.execute(db);
  return rows;
}

/** Trades by id, of one member; those of others are left out. */
export async function listTradesById(db: Db, memberId: bigint, ids: readonly bigint[]): Promise<TradeRow[]> {
  const { rows } = await sql<TradeRow>`
    select ${columns} from trading.trade t where t.id = any(${ids}::bigint[]) and t.member_id = ${memberId}`.execute(
    db,
  );
  return rows;
}
