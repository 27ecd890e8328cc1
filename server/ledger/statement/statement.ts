import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { type ExportSection, inDollars } from '#server/db/export-sql.ts';
import { getValue, listRows } from '#server/db/rows.ts';
import { classOf, type MemberClass, memberClassNames } from '../core/account.ts';
import type { Reason } from '../core/flow.ts';
import {
  idBounds,
  inPeriod,
  newestOf,
  type Period,
  rangesOf,
  type Side,
  type StatementRange,
  type StatementRanges,
  sides,
  statementRanges,
} from './statement-period-sql.ts';

/** Absent filters do not filter. `from` is inclusive, `to` exclusive; both are real time. */
export type StatementQuery = {
  readonly memberId: bigint;
  readonly classes?: readonly MemberClass[] | undefined;
  readonly reasons?: readonly Reason[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** The `position` of the last line already shown. */
  readonly before?: bigint | undefined;
  readonly limit: number;
};

/** A transfer between two accounts of one member is two lines: a debit and a credit. */
export type StatementLine = {
  /** Cursor for `before`; grows with time. */
  readonly position: bigint;
  readonly transferId: bigint;
  readonly class: MemberClass;
  readonly reason: Reason;
  readonly signedMicros: bigint;
  readonly balanceAfterMicros: bigint;
  readonly reference: string;
  readonly note: string | null;
  readonly createdAt: Date;
  readonly marketAt: Date;
};

/**
 * A page of a member's statement, newest first. Every page takes the same time, with any filter and any number of
 * movements: each combination of account, side and reason is one range of an index, read from its end.
 */
export async function listStatement(db: Db, query: StatementQuery): Promise<StatementLine[]> {
  const ranges = statementRanges(query.memberId, query.classes ?? memberClassNames, query.reasons);
  const rows = await listLines(db, ranges, query);
  return rows.map(({ account, ...row }) => ({
    ...row,
    transferId: row.position / 2n,
    class: classOf(account) as MemberClass,
  }));
}

/**
 * The amount moved into (`credit`) or out of (`debit`) a member's accounts for these reasons, minus reversals. Lifetime
 * deposits: `sumTransfers(db, { memberId, side: 'credit', reasons: ['deposit', 'deposit_allocated'] })`. Transfers
 * between two accounts of the member count, too.
 */
export function sumTransfers(
  db: Db,
  query: Pick<StatementQuery, 'memberId' | 'classes' | 'from' | 'to'> & {
    readonly side: 'debit' | 'credit';
    readonly reasons: readonly Exclude<Reason, 'reversal'>[];
  },
): Promise<bigint> {
  const ranges = statementRanges(query.memberId, query.classes ?? memberClassNames, query.reasons);
  return sumAmounts(db, { ...query, ranges: ranges[query.side] });
}

type Line = Omit<StatementLine, 'class' | 'transferId'> & { readonly account: bigint };

type Page = Period & { before?: bigint | undefined; limit: number };

const listLines = (db: Db, ranges: StatementRanges, page: Page): Promise<Line[]> =>
  listRows(db)`
    ${idBounds(page)}
    select line.* from (
      ${linesOf('debit', ranges.debit, page)} union all ${linesOf('credit', ranges.credit, page)}
    ) line
    order by line.position desc limit ${page.limit}`;

function linesOf(side: Side, ranges: readonly StatementRange[], page: Page): RawBuilder<unknown> {
  const { own, after, sign, offset } = sides[side];
  // Transfer ids below the cursor: those with id × 2 + offset < before.
  const end =
    page.before === undefined
      ? sql`bound.end_id`
      : sql`least(bound.end_id, (${page.before}::bigint - ${offset}::bigint + 1) / 2)`;
  return sql`
    select t.id * 2 + ${offset}::bigint as position, ${own} as account, t.reason, ${sign}::bigint * t.amount as "signedMicros",
      ${after} as "balanceAfterMicros", t.reference, t.note, t.created_at as "createdAt", t.market_at as "marketAt"
    from ${rangesOf(ranges)} cross join bound cross join lateral ${newestOf(side, page, end, page.limit)}`;
}

/** Sums one side of the ranges, minus reversals. */
function sumAmounts(db: Db, query: Period & { side: Side; ranges: readonly StatementRange[] }): Promise<bigint> {
  const posted = query.ranges.filter((range) => range.reason !== 'reversal');
  const accounts = [...new Set(posted.map((range) => range.account))];
  const reasons = [...new Set(posted.map((range) => range.reason))];
  const reversals = accounts.map((account) => ({ account, reason: 'reversal' as const }));
  return getValue(db)`
    ${idBounds(query)}
    select (coalesce((
      select sum(t.amount)
      from ${rangesOf(posted)} cross join bound
      cross join lateral (select * from ledger.transfer t where ${inPeriod(query.side, query)}) t
    ), 0) - coalesce((
      select sum(t.amount)
      from ${rangesOf(reversals)} cross join bound
      cross join lateral (select * from ledger.transfer t where ${inPeriod(opposites[query.side], query)}) t
      join ledger.transfer reversed on reversed.id = t.reverses
      where reversed.reason = any(${reasons}::ledger.reason[])
    ), 0))::bigint as total`;
}

const opposites: Readonly<Record<Side, Side>> = { debit: 'credit', credit: 'debit' };

/** All accounts of a member and their movements. House accounts on the other side appear by name. */
export const exportLedger = (memberId: bigint): readonly ExportSection[] => {
  const own = sql`array(select ${memberId}::bigint * 32 + class from generate_series(1, 5) as class)`;
  return [
    {
      name: 'accounts',
      place: 'bigint',
      rows: sql`
        select a.id as place, c.name as account, ${inDollars(sql`a.balance`)} as balance
        from ledger.account a join ledger.account_class c on c.no = a.class where a.member_id = ${memberId} and a.id = any(${own})`,
    },
    {
      name: 'movements',
      place: 'bigint',
      rows: sql`
        select t.id as place, t.id, t.created_at, t.market_at, t.reason::text as reason, f.name as from_account, o.name as to_account,
          ${inDollars(sql`t.amount`)} as amount, ${inDollars(sql`t.from_balance_after`)} as from_balance_after,
          ${inDollars(sql`t.to_balance_after`)} as to_balance_after, t.reference, t.note, t.reverses
        from ledger.transfer t
        join ledger.account_class f on f.no = (t.from_account & 31)
        join ledger.account_class o on o.no = (t.to_account & 31)
        where t.from_account = any(${own}) or t.to_account = any(${own})`,
    },
  ];
};
