import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { Reason } from '../core/flow.ts';
import type { StatementRange, StatementRanges } from '../core/statement-range.ts';
import { idBounds, inPeriod, newestOf, type Period, places, rangesOf, type Side } from './statement-period-sql.ts';

type Line = {
  position: bigint;
  account: bigint;
  reason: Reason;
  signed_amount: bigint;
  balance_after: bigint;
  reference: string;
  note: string | null;
  created_at: Date;
  market_at: Date;
};

type Page = Period & { before?: bigint | undefined; limit: number };

export async function listLines(db: Db, ranges: StatementRanges, page: Page): Promise<Line[]> {
  const { rows } = await sql<Line>`
    ${idBounds(page)}
    select line.* from (
      ${linesOf('debit', ranges.debit, page)} union all ${linesOf('credit', ranges.credit, page)}
    ) line
    order by line.position desc limit ${page.limit}`.execute(db);
  return rows;
}

function linesOf(side: Side, ranges: readonly StatementRange[], page: Page): RawBuilder<unknown> {
  const { own, after, sign, offset } = places[side];
  // Transfer ids below the cursor: those with id × 2 + offset < before.
  const end =
    page.before === undefined
      ? sql`bound.end_id`
      : sql`least(bound.end_id, (${page.before}::bigint - ${offset}::bigint + 1) / 2)`;
  return sql`
    select t.id * 2 + ${offset}::bigint as position, ${own} as account, t.reason, ${sign}::bigint * t.amount as signed_amount,
      ${after} as balance_after, t.reference, t.note, t.created_at, t.market_at
    from ${rangesOf(ranges)} cross join bound cross join lateral ${newestOf(side, page, end, page.limit)}`;
}

/** Sums one side of the ranges; what was reversed since is taken off. */
export async function sumAmounts(
  db: Db,
  query: Period & { side: Side; ranges: readonly StatementRange[] },
): Promise<bigint> {
  const kept = query.ranges.filter((range) => range.reason !== 'reversal');
  const accounts = [...new Set(kept.map((range) => range.account))];
  const reasons = [...new Set(kept.map((range) => range.reason))];
  const reversals = accounts.map((account) => ({ account, reason: 'reversal' as const }));
  const { rows } = await sql<{ total: bigint }>`
    ${idBounds(query)}
    select (coalesce((
      select sum(t.amount)
      from ${rangesOf(kept)} cross join bound
      cross join lateral (select * from ledger.transfer t where ${inPeriod(query.side, query)}) t
    ), 0) - coalesce((
      select sum(t.amount)
      from ${rangesOf(reversals)} cross join bound
      cross join lateral (select * from ledger.transfer t where ${inPeriod(opposites[query.side], query)}) t
      join ledger.transfer reversed on reversed.id = t.reverses
      where reversed.reason = any(${reasons}::ledger.reason[])
    ), 0))::bigint as total`.execute(db);
  return rows[0]?.total ?? 0n;
}

const opposites: Readonly<Record<Side, Side>> = { debit: 'credit', credit: 'debit' };
