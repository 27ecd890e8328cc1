import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import { execute, getRow, hasRow, listValues } from '#server/db/rows.ts';
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
export const insertOwn = (tx: Tx, table: SumTable, own: RawBuilder<unknown>, half?: Half): Promise<void> =>
  execute(tx)`
    insert into ${table} (level, member_id, traders, volume, trade_fees, performance_fees, active_change)
    select 0, member_id, traders, volume, trade_fees, performance_fees, active_change
    from (${own}) as own where ${isInHalf(sql`member_id`, half)} order by member_id`;

/** Every other 1024 ids of members: two connections sum up a level at once. */
export type Half = 0 | 1;

const isInHalf = (memberId: RawBuilder<unknown>, half: Half | undefined) =>
  half === undefined ? sql`true` : sql`(${memberId} >> 10) & 1 <> ${half === 0 ? 1 : 0}::int`;

/** Level n: for each member the sums at level n − 1 of all whose sponsor the member is. @param half all, when left out */
export async function insertNextLevel(tx: Tx, table: SumTable, level: number, half?: Half): Promise<void> {
  await chooseJoin(tx, table, level - 1);
  await execute(tx)`
    insert into ${table} (level, member_id, traders, volume, trade_fees, performance_fees, active_change)
    select ${level}::int, link.sponsor_id, ledger.bigint_sum(below.traders), ledger.bigint_sum(below.volume), ledger.bigint_sum(below.trade_fees),
      ledger.bigint_sum(below.performance_fees), ledger.bigint_sum(below.active_change)
    from ${table} as below
    join (${sponsorLinks}) as link on link.member_id = below.member_id
    where below.level = ${level - 1}::int and link.sponsor_id is not null and ${isInHalf(sql`link.sponsor_id`, half)}
    group by link.sponsor_id
    order by link.sponsor_id`;
}

/** From so many rows on, looking each of them up in the tree costs more than reading the tree, and two connections are done sooner than one. */
const MANY = 4096;

const areMany = (table: SumTable, level: number) =>
  sql`exists (select from ${table} where level = ${level}::int offset ${MANY}::int)`;

export const hasMany = (tx: Tx, table: SumTable, level: number): Promise<boolean> =>
  hasRow(tx)`select 1 where ${areMany(table, level)}`;

/**
 * A level of many rows is joined with the whole tree, one of few as the planner likes: it knows of no level how many there
 * are, and analysing the table after each takes a tenth of the run.
 */
const chooseJoin = (tx: Tx, table: SumTable, level: number): Promise<void> =>
  execute(tx)`
    select set_config('enable_nestloop',
      case when ${areMany(table, level)} then 'off' else 'on' end, true)`;

/**
 * Has half of a level of a run summed up, unless that is done: what is there of a half is all of it. Of two workers with the
 * same one, the second waits for the first.
 */
export async function insertHalf(tx: Tx, level: number, half: Half, insert: () => Promise<void>): Promise<void> {
  await execute(tx)`select pg_advisory_xact_lock(hashtextextended('income.level_sum/' || ${half}::int, 0))`;
  const isThere = await hasRow(tx)`
    select 1 from ${runSums} where level = ${level}::int and ${isInHalf(sql`member_id`, half)} limit 1`;
  if (!isThere) await insert();
}

/** How many rows each level has, for the planner, once all are there. */
export async function countLevels(tx: Tx, table: SumTable): Promise<void> {
  await execute(tx)`select set_config('enable_nestloop', 'on', true)`;
  if (table === againSums) await execute(tx)`select income.analyze_level_sum_again()`;
  else await execute(tx)`select income.analyze_level_sum()`;
}

export type CollectedSums = Collected & { readonly tradedMembers: bigint; readonly volume: bigint };

/** What all traders paid together. */
export const sumOwn = (tx: Tx, table: SumTable): Promise<CollectedSums> =>
  getRow(tx)`
    select count(*) as "tradedMembers", ledger.bigint_sum(volume) as volume, ledger.bigint_sum(trade_fees) as "tradeFees",
      ledger.bigint_sum(performance_fees) as "performanceFees"
    from ${table} where level = 0 and traders > 0`;

/** Hexadecimal hashes of the blocks of traders, in the order of their ids (`batchOf`, 4096 members). */
export const listTraderHashes = (tx: Tx, table: SumTable): Promise<string[]> =>
  listValues(tx)`
    select encode(${hashOfTraders}, 'hex') as hash from ${table}
    where level = 0 and traders > 0 group by member_id / 4096 order by member_id / 4096`;
