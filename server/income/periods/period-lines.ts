import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { findRow, getRow, listRows } from '#server/db/rows.ts';
import type { FeePlan } from '#server/fee-plans/index.ts';
import { houseAccount, memberAccount, post, postingSet } from '#server/ledger/index.ts';
import type { MemberBatch } from '#server/trading/index.ts';
import { monthName, type PeriodKind } from '../core/periods.ts';
import type { PoolContributions } from './contribution-sql.ts';
import { idsOf, type PeriodRun } from './period-sql.ts';

/** The days that determine a period's lines. */
export type PeriodDays = Pick<PeriodRun, 'startsOn' | 'lastSession'>;

/** What differs between computing a week and a month. */
export type PeriodRules = {
  /**
   * Totals at the start of a run, a query of one row: `total`, the divisor of the pool, and `qualified`, the number of
   * members who get something; `flags` of all who qualify for a pool under rule 2, null under rule 1.
   */
  readonly totals: (period: PeriodDays & Pick<PeriodRun, 'rule'>, plan: FeePlan) => RawBuilder<unknown>;
  /** Contributions to split among qualifying members, under rule 2. */
  readonly contributionsOf: (startsOn: string) => PoolContributions;
  /** The total of a period under rule 2, in SQL, once all parts are summed. */
  readonly totalOf: (startsOn: string) => RawBuilder<unknown>;
  /** Stores the lines of a batch of members, unless they exist. */
  readonly computeBatch: (tx: Tx, run: PeriodRun, plan: FeePlan, batch: MemberBatch) => Promise<void>;
  /** Notification of a paid member. */
  readonly message: (paid: PaidLine & { readonly startsOn: string }) => string;
};

/** Table and key column of a kind's lines, and its account and reason in the ledger. */
const sourceOf = {
  weekly: {
    lines: sql`income.weekly_line`,
    day: sql`week`,
    rank: sql`null::int`,
    pool: 'pool_weekly',
    reason: 'weekly_income',
    reference: (startsOn: string) => `week ${startsOn}`,
  },
  monthly: {
    lines: sql`income.monthly_line`,
    day: sql`month`,
    rank: sql`l.rank::int`,
    pool: 'pool_monthly',
    reason: 'monthly_income',
    reference: (startsOn: string) => `month ${monthName(startsOn)}`,
  },
} as const;

/**
 * CTEs that store the rows of `settled`: the batch's row with the hash of its lines, inserted once, and the lines.
 *
 * @param digest SQL of the text that the hash covers for each line
 * @param columns of a line besides its member and period
 */
export function storeLines(
  { kind, startsOn }: PeriodRun,
  no: bigint,
  { digest, columns }: { readonly digest: RawBuilder<unknown>; readonly columns: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const { lines, day } = sourceOf[kind];
  return sql`
    block as (
      insert into income.period_block (kind, starts_on, no, hash, lines, paid, is_paid)
      select ${kind}, ${startsOn}::date, ${no}::int,
        sha256(convert_to(string_agg(${digest} || chr(10), '' order by member_id), 'UTF8')), count(*), coalesce(sum(paid), 0), coalesce(sum(paid), 0) = 0
      from settled
      on conflict do nothing
      returning 1),
    lines as (
      insert into ${lines} (member_id, ${day}, ${columns})
      select member_id, ${startsOn}::date, ${columns} from settled where exists (select from block) order by member_id)`;
}

/** The rank is null for a week. */
export type PaidLine = { readonly memberId: bigint; readonly rank: number | null; readonly paid: bigint };

/**
 * Pays the stored lines of a batch of members once, and marks its row as paid.
 *
 * @returns the members paid, in id order
 */
export async function payLines(
  tx: Tx,
  { kind, startsOn, paidAt }: PeriodRun & { readonly paidAt: Date },
  { no, ...range }: MemberBatch,
): Promise<PaidLine[]> {
  const { lines, day, rank, pool, reason, reference } = sourceOf[kind];
  return listRows(tx)<PaidLine>`
    with block as (
      update income.period_block set is_paid = true
      where kind = ${kind} and starts_on = ${startsOn}::date and no = ${no}::int and not is_paid
      returning 1),
    due as materialized (
      select line.* from (${idsOf(range)}) as id cross join lateral (
        select l.member_id, ${rank} as rank, l.paid from ${lines} l
        where l.member_id = id.member_id and l.${day} = ${startsOn}::date) as line
      where line.paid > 0 and exists (select from block)),
    posted as materialized (select ${postingSet(sql`
      select ${`${kind}/${startsOn}/`} || member_id, ${houseAccount(pool)}, ${memberAccount(sql`member_id`, 'profit')}, paid,
        ${sql.lit(reason)}, ${reference(startsOn)}, ${paidAt}::timestamptz, null::text
      from due order by member_id`)})
    select member_id as "memberId", rank, paid from due cross join posted order by member_id`;
}

/** Releases the unclaimed rest of a period's pool to revenue, once all its lines are paid. */
export async function releaseRest(
  tx: Tx,
  { kind, startsOn, released, paidAt }: PeriodRun & { readonly paidAt: Date },
): Promise<void> {
  if (released === 0n) return;
  const { pool, reference } = sourceOf[kind];
  await post(tx, [
    {
      key: `${kind}/${startsOn}/release`,
      from: { class: pool },
      to: { class: 'fee_revenue' },
      amountMicros: released,
      reason: 'pool_release',
      reference: reference(startsOn),
      marketAt: paidAt,
    },
  ]);
}

/**
 * SQL for whether a line is not paid yet, because its batch is not: during an alarm, or briefly between computing and
 * paying. Batches are those of `batchOf`, of 4096 ids.
 */
export const isLineHeld = (
  kind: PeriodKind,
  startsOn: RawBuilder<unknown>,
  memberId: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  exists (select from income.period_block b
    where b.kind = ${sql.lit(kind)} and b.starts_on = ${startsOn} and b.no = ${memberId} / 4096 and not b.is_paid)`;

type Line<Reason> = {
  readonly startsOn: string;
  readonly volume: bigint;
  readonly nominal: bigint;
  readonly paid: bigint;
  readonly isHeld: boolean;
  readonly reason: Reason | null;
};
export type WeekLine = Line<'company' | 'closed' | 'inactive' | 'directs'>;
export type MonthLine = Line<'company' | 'closed' | 'inactive' | 'rank'> & {
  readonly rank: number | null;
  readonly teamVolume: bigint;
  readonly contributed: bigint;
};
export type LineOf = { readonly weekly: WeekLine; readonly monthly: MonthLine };

const isHeld = (kind: PeriodKind) => isLineHeld(kind, sql`l.${sourceOf[kind].day}`, sql`l.member_id`);
const ownColumns = { weekly: sql``, monthly: sql`, l.rank, l.team_volume as "teamVolume", l.contributed` };

const selectLines = (kind: PeriodKind, memberId: bigint) => sql`
  select l.${sourceOf[kind].day}::text as "startsOn", l.volume, l.nominal, l.paid, ${isHeld(kind)} as "isHeld", l.reason${ownColumns[kind]}
  from ${sourceOf[kind].lines} l where l.member_id = ${memberId}`;

/** A member's weeks or months before a given one, newest first. */
export async function listLines<Kind extends PeriodKind>(
  db: Db,
  kind: Kind,
  { memberId, before, limit }: { memberId: bigint; before: string | undefined; limit: number },
): Promise<LineOf[Kind][]> {
  const { day } = sourceOf[kind];
  return listRows(db)<LineOf[Kind]>`
    ${selectLines(kind, memberId)} and l.${day} < ${before ?? 'infinity'}::date order by l.${day} desc limit ${limit}`;
}

export const findLine = <Kind extends PeriodKind>(
  db: Db,
  kind: Kind,
  memberId: bigint,
  startsOn: string,
): Promise<LineOf[Kind] | undefined> =>
  findRow(db)`
    ${selectLines(kind, memberId)} and l.${sourceOf[kind].day} = ${startsOn}::date`;

/** Total paid by a member's weeks or months, and the number of those that paid something. */
export const sumPaid = (db: Db, kind: PeriodKind, memberId: bigint) =>
  getRow(db)<{ readonly paid: bigint; readonly count: bigint }>`
    select coalesce(sum(paid), 0)::bigint as paid, count(*) filter (where paid > 0) as count
    from ${sourceOf[kind].lines} l where l.member_id = ${memberId} and not ${isHeld(kind)}`;
