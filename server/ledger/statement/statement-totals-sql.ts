import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { Reason } from '../core/flow.ts';
import type { StatementRange, StatementRanges } from '../core/statement-range.ts';
import { idBounds, inPeriod, newestOf, type Period, places, rangesOf, type Side } from './statement-period-sql.ts';

type Sum = { account: bigint; reason: Reason; side: Side; lines: bigint; amount: bigint };
type Balance = { account: bigint; balance: bigint };

/** Of each range its lines in the period and what they come to; a range without lines is left out. */
export async function sumRanges(db: Db, ranges: StatementRanges, period: Period): Promise<Sum[]> {
  const { rows } = await sql<Sum>`
    ${idBounds(period)} ${sumsOf('debit', ranges.debit, period)} union all ${sumsOf('credit', ranges.credit, period)}`.execute(
    db,
  );
  return rows;
}

function sumsOf(side: Side, ranges: readonly StatementRange[], period: Period): RawBuilder<unknown> {
  return sql`
    select range.account, range.reason, ${side}::text as side, summed.lines, summed.amount
    from ${rangesOf(ranges)}
    cross join bound cross join lateral (
      select count(*) as lines, sum(t.amount)::bigint as amount
      from ledger.transfer t where ${inPeriod(side, period)}
    ) summed
    where summed.lines > 0`;
}

/**
 * What each account of the ranges had at an instant, if it had moved before; `ranges` are all of these accounts. It is the
 * balance after the last line that is surely older, and the lines between that one and the instant: ids grow with time only
 * nearly, so that the last line before an instant cannot be found by its id alone.
 */
export async function listBalancesAt(db: Db, ranges: StatementRanges, at: Date): Promise<Balance[]> {
  const { rows } = await sql<Balance>`
    ${idBounds({ from: at, to: at })}
    select part.account, sum(part.balance)::bigint as balance
    from (
      (select distinct on (older.account) older.account, older.balance
        from (${olderLinesOf('debit', ranges.debit)} union all ${olderLinesOf('credit', ranges.credit)}) older
        order by older.account, older.id desc)
      union all ${nearLinesOf('debit', ranges.debit)} union all ${nearLinesOf('credit', ranges.credit)}
    ) part(account, balance)
    group by part.account`.execute(db);
  return rows;
}

function olderLinesOf(side: Side, ranges: readonly StatementRange[]): RawBuilder<unknown> {
  return sql`
    select range.account, t.id, ${places[side].after} as balance
    from ${rangesOf(ranges)} cross join bound cross join lateral ${newestOf(side, {}, sql`bound.first_id`, 1)}`;
}

/**
 * Those that may have come before the instant, and of them those that did: two hours' at most, and so few that whichever
 * index is read, it is read fast.
 */
function nearLinesOf(side: Side, ranges: readonly StatementRange[]): RawBuilder<unknown> {
  const { own, sign } = places[side];
  return sql`
    select range.account, ${sign}::bigint * near.amount
    from ${rangesOf(ranges)}
    cross join bound cross join lateral (
      select coalesce(sum(t.amount), 0) as amount from ledger.transfer t
      where ${own} = range.account and ${own} >= 32 and t.reason = range.reason
        and t.id >= bound.first_id and t.id < bound.end_id and t.created_at < bound.to_at
    ) near`;
}

/** The instants of transfers are the database's, so what is read now ends by its clock. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return (rows[0] as { now: Date }).now;
}
