import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import { sponsorLinks } from '#server/team/index.ts';
import type { Collected } from '../core/waterfall.ts';
import { hashOfTraders } from './waterfall-sql.ts';

/** The table of a run, or a temporary one of the same columns in which it is computed again. */
export type SumTable = RawBuilder<unknown>;

export const runSums: SumTable = sql`income.level_sum`;

/** Room for the sorts and joins of a whole session, until the transaction ends: a part of what a query selects. */
export const roomForSessions: RawBuilder<unknown> = sql`set_config('work_mem', '64MB', true)`;

/** A table that is gone with the transaction. Its columns are written out, because `like` would keep the other one locked. */
export async function createTemporarySums(tx: Tx): Promise<SumTable> {
  await sql`select ${roomForSessions}`.execute(tx);
  await sql`
    create temporary table level_sum_again (level smallint, member_id bigint, traders bigint, volume bigint, trade_fees bigint,
      performance_fees bigint, active_change bigint, primary key (level, member_id)) on commit drop`.execute(tx);
  return sql`pg_temp.level_sum_again`;
}

/**
 * Whose sums they were, does not matter any more: the next run begins with none. Emptied at once, unless somebody holds the
 * table, as a backup does for as long as it takes; then row by row, for the market does not wait for it.
 */
export async function emptySums(tx: Tx): Promise<void> {
  await sql`
    do $$ begin
      lock table income.level_sum in access exclusive mode nowait;
      truncate income.level_sum;
    exception when lock_not_available then
      delete from income.level_sum;
    end $$`.execute(tx);
}

/**
 * Level 0: what the members' own trades came to. @param own a query of `member_id, traders, volume, trade_fees,
 * performance_fees, active_change`
 */
export async function insertOwn(tx: Tx, table: SumTable, own: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into ${table} (level, member_id, traders, volume, trade_fees, performance_fees, active_change)
    select 0, member_id, traders, volume, trade_fees, performance_fees, active_change
    from (${own}) as own order by member_id`.execute(tx);
  await countLevels(tx, table);
}

/** Level n: for each member the sums at level n − 1 of all whose sponsor the member is. */
export async function insertNextLevel(tx: Tx, table: SumTable, level: number): Promise<void> {
  await sql`
    insert into ${table} (level, member_id, traders, volume, trade_fees, performance_fees, active_change)
    select ${level}::int, link.sponsor_id, sum(below.traders), sum(below.volume), sum(below.trade_fees), sum(below.performance_fees),
      sum(below.active_change)
    from ${table} as below
    join (${sponsorLinks}) as link on link.member_id = below.member_id
    where below.level = ${level - 1}::int and link.sponsor_id is not null
    group by link.sponsor_id
    order by link.sponsor_id`.execute(tx);
  await countLevels(tx, table);
}

/** How many rows each level has, for the planner: one level is joined with the whole tree, the next with a few of it. */
async function countLevels(tx: Tx, table: SumTable): Promise<void> {
  await sql`analyze ${table} (level)`.execute(tx);
}

export type CollectedSums = Collected & { readonly tradedMembers: bigint; readonly volume: bigint };

/** What all traders paid together. */
export async function sumOwn(tx: Tx, table: SumTable): Promise<CollectedSums> {
  const { rows } = await sql<CollectedSums>`
    select count(*) as "tradedMembers", coalesce(sum(volume), 0)::bigint as volume,
      coalesce(sum(trade_fees), 0)::bigint as "tradeFees", coalesce(sum(performance_fees), 0)::bigint as "performanceFees"
    from ${table} where level = 0 and traders > 0`.execute(tx);
  return rows[0] as CollectedSums;
}

/** Hexadecimal hashes of the blocks of traders, in the order of their ids (`blockOf`, 4096 members). */
export async function listTraderHashes(tx: Tx, table: SumTable): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select encode(${hashOfTraders}, 'hex') as hash from ${table}
    where level = 0 and traders > 0 group by member_id / 4096 order by member_id / 4096`.execute(tx);
  return rows.map(({ hash }) => hash);
}
