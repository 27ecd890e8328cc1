import { type RawBuilder, sql } from 'kysely';
import type { BonusKind, missReasons } from '#contract/income.ts';
import type { Db } from '#server/db/connect.ts';
import { findRow, listRows } from '#server/db/rows.ts';
import { levelMembers } from '#server/team/index.ts';
import { dailyResults } from '#server/trading/index.ts';
import type { LineKey } from '../core/line-id.ts';
import { type BonusLine, levelsOf } from '../core/show-line.ts';

export type StoredLine = BonusLine & {
  readonly activeDirects: bigint;
  /** Why it paid nothing. */
  readonly reason: (typeof missReasons)[number] | null;
};

/** A line has two bonuses: one of its trade fees and one of its performance fees. */
type Columns = {
  readonly fees: RawBuilder<unknown>;
  readonly bps: RawBuilder<unknown>;
  readonly amount: RawBuilder<unknown>;
};
const tradeColumns: Columns = { fees: sql`l.trade_fees`, bps: sql`l.bonus_bps`, amount: sql`l.bonus` };
const columnsOf: Record<BonusKind, Columns> = {
  referral: tradeColumns,
  level: tradeColumns,
  'team-profit': { fees: sql`l.performance_fees`, bps: sql`l.profit_bps`, amount: sql`l.team_profit` },
};

const selected = (kind: BonusKind): RawBuilder<unknown> => {
  const { fees, bps, amount } = columnsOf[kind];
  return sql`
    l.session_day::text as day, l.level, l.traders, l.volume, ${fees} as fees, ${bps} as bps, ${amount} as amount,
    r.closes_at as "closesAt", l.active_directs as "activeDirects", l.reason`;
};

/** Lines of a member at the levels of a kind: a few adjacent rows of the primary key per session. */
const isOf = (memberId: bigint, kind: BonusKind): RawBuilder<unknown> => sql`
  l.member_id = ${memberId} and l.level between ${sql.lit(levelsOf[kind].first)} and ${sql.lit(levelsOf[kind].last)}`;

/** Paid lines of some sessions after the cursor, newest session first, then by level. */
export async function listPaidLines(
  db: Db,
  query: {
    readonly memberId: bigint;
    readonly kind: BonusKind;
    readonly days: readonly string[];
    readonly after: LineKey | undefined;
    readonly limit: number;
  },
): Promise<StoredLine[]> {
  const { after } = query;
  const isAfter =
    after === undefined
      ? sql`true`
      : sql`(l.session_day < ${after.day}::date or (l.session_day = ${after.day}::date and l.level > ${after.level}))`;
  return listRows(db)<StoredLine>`
    select ${selected(query.kind)}
    from income.bonus_line l join income.bonus_run r on r.session_day = l.session_day
    where l.session_day = any(${query.days}::date[]) and ${isOf(query.memberId, query.kind)}
      and ${columnsOf[query.kind].amount} > 0 and ${isAfter}
    order by l.session_day desc, l.level limit ${query.limit}`;
}

/** All levels of a kind in one session, including unpaid ones, lowest first. */
export const listSessionLines = (
  db: Db,
  query: { readonly memberId: bigint; readonly kind: BonusKind; readonly day: string },
): Promise<StoredLine[]> =>
  listRows(db)`
    select ${selected(query.kind)}
    from income.bonus_line l join income.bonus_run r on r.session_day = l.session_day
    where l.session_day = ${query.day}::date and ${isOf(query.memberId, query.kind)}
    order by l.level`;

export type RunFees = {
  readonly feePlanId: number;
  /** Of all members. */
  readonly tradeFees: bigint;
  readonly performanceFees: bigint;
  /** Execution cost charged to each. */
  readonly tradeCost: bigint;
  readonly performanceCost: bigint;
};

/** Fees of a session's run; undefined until they are collected. */
export const findRunFees = (db: Db, day: string): Promise<RunFees | undefined> =>
  findRow(db)`
    select fee_plan_id as "feePlanId", trade_fees as "tradeFees", performance_fees as "performanceFees",
      trade_cost as "tradeCost", performance_cost as "performanceCost"
    from income.bonus_run where session_day = ${day}::date and trade_fees is not null`;

export type ContributorQuery = LineKey & {
  readonly memberId: bigint;
  readonly kind: BonusKind;
  readonly after: bigint | undefined;
  readonly limit: number;
};

export type ContributorRow = { readonly memberId: bigint; readonly volume: bigint; readonly fees: bigint };

/** Contributors of a line: members of its level who traded in the session, in the order in which they joined. */
export async function listContributors(db: Db, query: ContributorQuery): Promise<ContributorRow[]> {
  const fees = query.kind === 'team-profit' ? sql`d.performance_fees` : sql`d.trade_fees`;
  return listRows(db)<ContributorRow>`
    select d.member_id as "memberId", d.volume, ${fees} as fees
    from (${levelMembers(query.memberId, query.level)}) as m
    join (${dailyResults(query.day)}) as d on d.member_id = m.member_id
    where m.member_id > ${query.after ?? 0n}
    order by m.member_id limit ${query.limit}`;
}
