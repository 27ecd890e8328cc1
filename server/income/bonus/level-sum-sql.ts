import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import { execute, getRow, hasRow, listValues } from '#server/db/rows.ts';
import { sponsorLinks } from '#server/team/index.ts';
import type { Collected } from '../core/waterfall.ts';
import { hashOfTraders } from './waterfall-sql.ts';

/** The table of a run, or a temporary one with the same columns for a replay. */
export type SumTable = RawBuilder<unknown>;

export const runSums: SumTable = sql`income.level_sum`;
const replaySums: SumTable = sql`pg_temp.level_sum_again`;

/** Memory for sorts and joins of a whole session, until the transaction ends; an expression of a select list. */
export const sessionWorkMem: RawBuilder<unknown> = sql`set_config('work_mem', '64MB', true)`;

/**
 * Creates a table that is dropped at commit, through a function of the owner: the server's role cannot create tables.
 */
export async function createTemporarySums(tx: Tx): Promise<SumTable> {
  await execute(tx)`select ${sessionWorkMem}`;
  await execute(tx)`select income.create_level_sum_again()`;
  return replaySums;
}

/**
 * Deletes the sums of the previous run. Truncates the table unless it is locked, as by a backup; then deletes row by
 * row, so that the market does not wait.
 */
export const clearSums = (tx: Tx): Promise<void> => execute(tx)`select income.empty_level_sum()`;

/**
 * Level 0: the members' own trades. @param own a query of `member_id, traders, volume, trade_fees, performance_fees,
 * active_change`
 */
export const insertOwn = (tx: Tx, table: SumTable, own: RawBuilder<unknown>, half?: Half): Promise<void> =>
  execute(tx)`
    insert into ${table} (level, member_id, traders, volume, trade_fees, performance_fees, active_change)
    select 0, member_id, traders, volume, trade_fees, performance_fees, active_change
    from (${own}) as own where ${isInHalf(sql`member_id`, half)} order by member_id`;

/** Alternating ranges of 1024 member ids, so that two connections sum a level in parallel. */
export type Half = 0 | 1;

const isInHalf = (memberId: RawBuilder<unknown>, half: Half | undefined) =>
  half === undefined ? sql`true` : sql`(${memberId} >> 10) & 1 <> ${half === 0 ? 1 : 0}::int`;

/** Level n: for each member the sums at level n − 1 of their directs. @param half both, when missing */
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

/** From this many rows on, a join with the whole tree is faster than lookups, and two connections faster than one. */
const MANY = 4096;

const areMany = (table: SumTable, level: number) =>
  sql`exists (select from ${table} where level = ${level}::int offset ${MANY}::int)`;

export const hasMany = (tx: Tx, table: SumTable, level: number): Promise<boolean> =>
  hasRow(tx)`select 1 where ${areMany(table, level)}`;

/**
 * A large level is joined with the whole tree, a small one as the planner chooses. The planner does not know the size
 * of a level, and analysing the table after each one takes a tenth of the run.
 */
const chooseJoin = (tx: Tx, table: SumTable, level: number): Promise<void> =>
  execute(tx)`
    select set_config('enable_nestloop',
      case when ${areMany(table, level)} then 'off' else 'on' end, true)`;

/**
 * Sums half of a level of a run, unless it exists: a half is inserted as a whole. Of two workers on the same half, the
 * second waits for the first.
 */
export async function insertHalf(tx: Tx, level: number, half: Half, insert: () => Promise<void>): Promise<void> {
  await execute(tx)`select pg_advisory_xact_lock(hashtextextended('income.level_sum/' || ${half}::int, 0))`;
  const exists = await hasRow(tx)`
    select 1 from ${runSums} where level = ${level}::int and ${isInHalf(sql`member_id`, half)} limit 1`;
  if (!exists) await insert();
}

/** Updates the planner's statistics once all levels exist. */
export async function analyzeLevels(tx: Tx, table: SumTable): Promise<void> {
  await execute(tx)`select set_config('enable_nestloop', 'on', true)`;
  if (table === replaySums) await execute(tx)`select income.analyze_level_sum_again()`;
  else await execute(tx)`select income.analyze_level_sum()`;
}

export type CollectedSums = Collected & { readonly tradedMembers: bigint; readonly volume: bigint };

/** Total fees and volume of all traders. */
export const sumOwn = (tx: Tx, table: SumTable): Promise<CollectedSums> =>
  getRow(tx)`
    select count(*) as "tradedMembers", ledger.bigint_sum(volume) as volume, ledger.bigint_sum(trade_fees) as "tradeFees",
      ledger.bigint_sum(performance_fees) as "performanceFees"
    from ${table} where level = 0 and traders > 0`;

/** Hexadecimal hashes of the batches of traders, in id order (`batchOf`, 4096 members). */
export const listTraderHashes = (tx: Tx, table: SumTable): Promise<string[]> =>
  listValues(tx)`
    select encode(${hashOfTraders}, 'hex') as hash from ${table}
    where level = 0 and traders > 0 group by member_id / 4096 order by member_id / 4096`;
