import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, listRows, listValues } from '#server/db/rows.ts';
import type { LimitsOfSize } from '../core/asset-limits.ts';
import { type Chunk, isIn, openingIds } from '../session/opening-sql.ts';

export type AssetLimits = LimitsOfSize & {
  readonly symbol: string;
  /** The version that decisions refer to; 1 until operators set limits. */
  readonly version: number;
  /** The smaller of the limit for all members and half the order book's depth; null without either. */
  readonly roomMicros: bigint | null;
  /** Half the valid depth; null without one. */
  readonly halfDepthMicros: bigint | null;
};

/** How long a measured depth stays valid. */
const DEPTH_VALID_MS = 5 * 60_000;

/**
 * Half of any depth measured since this instant limits all members together; null for a venue without an order book.
 * Without a recent depth there is no such limit: a guess could refuse what the exchange would fill, and what it does
 * not fill never opens.
 */
export const depthSince = ({ config, now }: Context): Date | null =>
  config.venue === 'ccxt' ? new Date(now().getTime() - DEPTH_VALID_MS) : null;

const columns = sql`l.symbol, l.trade_micros as "tradeMicros", l.member_micros as "memberMicros", l.all_micros as "allMicros", l.version`;
/** A relation `l`, joined with the valid depth as `d`. */
const withDepth = (since: Date | null) => sql`
  trading.asset_limit l left join trading.depth d on d.symbol = l.symbol and d.measured_at >= ${since}::timestamptz`;
const room = sql`least(l.all_micros, d.buy_micros / 2)`;

export const listLimits = (db: Db, since: Date | null) =>
  listRows(db)<AssetLimits>`
    select ${columns}, ${room} as "roomMicros", d.buy_micros / 2 as "halfDepthMicros" from ${withDepth(since)} order by l.symbol`;

/** Assets with limits; at an exchange all assets, whether or not their depth is recent. */
export const listLimitedSymbols = ({ db, config }: Context) =>
  listValues(db)<string>`
    select symbol from trading.asset_limit
    where ${config.venue === 'ccxt'}::boolean or num_nonnulls(trade_micros, member_micros, all_micros) > 0`;

/** Locks the limits against decisions and placing. */
export const lockLimits = (tx: Tx, symbol: string) =>
  findRow(tx)<Omit<AssetLimits, 'roomMicros' | 'halfDepthMicros'>>`
    select ${columns} from trading.asset_limit l where l.symbol = ${symbol} for update`;

/** Inserts rows for assets without any. Existing rows still at version 1 are set to `limits`. */
export const insertLimits = (tx: Tx, rows: readonly (LimitsOfSize & { readonly symbol: string })[]) =>
  execute(tx)`
    insert into trading.asset_limit as l (symbol, trade_micros, member_micros, all_micros)
    select * from unnest(${rows.map(({ symbol }) => symbol)}::text[], ${rows.map((row) => row.tradeMicros)}::bigint[],
      ${rows.map((row) => row.memberMicros)}::bigint[], ${rows.map((row) => row.allMicros)}::bigint[]) as begun
    on conflict (symbol) do update set
      trade_micros = excluded.trade_micros, member_micros = excluded.member_micros, all_micros = excluded.all_micros,
      set_at = clock_timestamp()
    where l.version = 1 and excluded.all_micros is not null
      and (l.trade_micros, l.member_micros, l.all_micros)
        is distinct from (excluded.trade_micros, excluded.member_micros, excluded.all_micros)`;

/** Resets the counts, which were not maintained while another venue was in use. */
export const resetTaken = (tx: Tx) =>
  execute(tx)`update trading.asset_limit set taken_micros = null where taken_micros is not null`;

export const updateLimits = (tx: Tx, symbol: string, limits: LimitsOfSize) =>
  execute(tx)`
    update trading.asset_limit set trade_micros = ${limits.tradeMicros}, member_micros = ${limits.memberMicros},
      all_micros = ${limits.allMicros}, version = version + 1, set_at = clock_timestamp(), taken_micros = null
    where symbol = ${symbol}`;

/**
 * SQL that counts trades against the limits and selects the numbers `n` of those that fit. The accounts of the trades
 * are already locked; the limits stay locked until the transaction ends.
 *
 * @param trades a relation `n, member_id, symbol, amount`, with its alias
 * @param refuses raises `over_asset_limit` for a trade that does not fit (`refuseOverLimit`)
 */
export const takingRoom = (
  trades: RawBuilder<unknown>,
  since: Date | null,
  refuses: boolean,
): RawBuilder<unknown> => sql`
  select trading.take_room(array_agg(n), array_agg(member_id), array_agg(symbol), array_agg(amount), ${since}::timestamptz,
    ${refuses}::boolean) as n
  from ${trades}`;

/** Assets that may have too much queued: limits are new, or the depth fell below what is queued and open. */
export const listPossiblyOver = (db: Db, since: Date | null) =>
  listRows(db)<AssetLimits>`
    select ${columns}, ${room} as "roomMicros", d.buy_micros / 2 as "halfDepthMicros" from ${withDepth(since)}
    where num_nonnulls(l.trade_micros, l.member_micros, ${room}) > 0
      and (l.checked_at is null or l.checked_at < l.set_at + interval '5 seconds'
        or (${room} is not null and (l.taken_micros is null or l.taken_micros > ${room})))
    order by l.symbol`;

/** Recounts queued and open amounts, once the limits are old enough for every process to place by them. */
export const updateTaken = (tx: Tx, symbol: string) =>
  execute(tx)`
    update trading.asset_limit set checked_at = clock_timestamp(),
      taken_micros = case when set_at < clock_timestamp() - interval '5 seconds' then trading.count_taken(symbol) end
    where symbol = ${symbol}`;

export type QueuedTrade = { readonly id: bigint; readonly memberId: bigint; readonly amount: bigint };

/** Queued trades in the order of placing, without those that a batch is opening. */
export const listQueuedOf = (db: Db, symbol: string) =>
  listRows(db)<QueuedTrade>`
    select id, member_id as "memberId", amount from trading.trade
    where state = 'queued' and symbol = ${symbol} and id not in ${openingIds} order by id`;

/** Amounts per member that are open or being opened. */
export const listOpenOf = (db: Db, symbol: string) =>
  listRows(db)<{ memberId: bigint; amount: bigint }>`
    select member_id as "memberId", sum(amount)::bigint as amount from (
      select member_id, amount from trading.trade where state = 'open' and symbol = ${symbol}
      union all
      select member_id, amount from trading.trade where state = 'queued' and symbol = ${symbol} and id in ${openingIds}) as held
    group by member_id`;

/**
 * Records that plans whose trades were cancelled skip the session, and why.
 *
 * @returns their members
 */
export const recordSkipped = (tx: Tx, chunk: Chunk, at: Date, marketAt: Date) =>
  listValues(tx)<bigint>`
    with skipped as (
      update trading.plan p set state_reason = 'over_asset_limit'
      from trading.trade t
      where ${isIn(chunk)} and t.cancel_reason = 'over_asset_limit' and p.id = t.plan_id and p.state = 'active'
      returning p.id, p.member_id),
    told as (
      insert into trading.plan_event (plan_id, kind, reason, at, market_at)
      select id, 'skipped', 'over_asset_limit', ${at}::timestamptz, ${marketAt}::timestamptz from skipped order by id)
    select member_id from skipped`;
