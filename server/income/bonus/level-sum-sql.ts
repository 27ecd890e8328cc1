import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import { execute, getRow, listValues } from '#server/db/rows.ts';
import { sponsorLinks } from '#server/team/index.ts';
import type { Collected } from '../core/waterfall.ts';
import { hashOfTraders } from './waterfall-sql.ts';

/** The table of a run, or a temporary one of the same columns in which it is computed again. */
export type SumTable = RawBuilder<unknown>;

export const runSums: SumTable = sql`income.level_sum`;
const againSums: SumTable = sql`pg_temp.level_sum_again`;

/** Room for the sorts and joins of a whole session, until the transaction ends: a part of what a query selects. */
export const roomForSessions: RawBuilder<unknown> = sql`set_config('work_mem', '64MB', true)`;

/** A table that is gone with the transaction, made by the owner: the server's role creates none. */
export async function createTemporarySums(tx: Tx): Promise<SumTable> {
  await execute(tx)`select ${roomForSessions}`;
  await execute(tx)`select income.create_level_sum_again()`;
  return againSums;
}

/**
 * Whose sums they were, does not matter any more: the next run begins with none. Emptied at once, unless somebody holds the
 * table, as a backup does for as long as it takes; then row by row, for the market does not wait for it.
 */
export const emptySums = (tx: Tx): Promise<void> => execute(tx)`select income.empty_level_sum()`;

/**
 * Level 0: what the members' own trades came to. @param own a query of `member_id, traders, volume, trade_fees,
 * performance_fees, active_change`
 */
export async function insertOwn(tx: Tx, table: SumTable, own: RawBuilder<unknown>): Promise<void> {
  await execute(tx)`
    insert into ${table} (level, member_id, traders, volume, trade_fees, performance_fees, active_change)
    select 0, member_id, traders, volume, trade_fees, performance_fees, active_change
    from (${own}) as own order by member_id`;
  await countLevels(tx, table);
}

/** Level n: for each member the sums at level n − 1 of all whose sponsor the member is. */
export async function insertNextLevel(tx: Tx, table: SumTable, level: number): Promise<void> {
  await execute(tx)`
    insert into ${table} (level, member_id, traders, volume, trade_fees, performance_fees, active_change)
    select ${level}::int, link.sponsor_id, sum(below.traders), sum(below.volume), sum(below.trade_fees), sum(below.performance_fees),
      sum(below.active_change)
    from ${table} as below
    join (${sponsorLinks}) as link on link.member_id = below.member_id
    where below.level = ${level - 1}::int and link.sponsor_id is not null
    group by link.sponsor_id
    order by link.sponsor_id`;
  await countLevels(tx, table);
}

/** How many rows each level has, for the planner: one level is joined with the whole tree, the next with a few of it. */
const countLevels = (tx: Tx, table: SumTable): Promise<void> =>
  table === againSums
    ? execute(tx)`select income.analyze_level_sum_again()`
    : execute(tx)`select income.analyze_level_sum()`;

export type CollectedSums = Collected & { readonly tradedMembers: bigint; readonly volume: bigint };

/** What all traders paid together. */
export const sumOwn = (tx: Tx, table: SumTable): Promise<CollectedSums> =>
  getRow(tx)`
    select count(*) as "tradedMembers", coalesce(sum(volume), 0)::bigint as volume,
      coalesce(sum(trade_fees), 0)::bigint as "tradeFees", coalesce(sum(performance_fees), 0)::bigint as "performanceFees"
    from ${table} where level = 0 and traders > 0`;

/** Hexadecimal hashes of the blocks of traders, in the order of their ids (`batchOf`, 4096 members). */
export const listTraderHashes = (tx: Tx, table: SumTable): Promise<string[]> =>
  listValues(tx)`
    select encode(${hashOfTraders}, 'hex') as hash from ${table}
    where level = 0 and traders > 0 group by member_id / 4096 order by member_id / 4096`;
