import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { getValue, listRows } from '#server/db/rows.ts';
import { classOf, type MemberClass, memberClassNames } from '../core/account.ts';
import type { Reason } from '../core/flow.ts';
import { getBalances } from '../posting/accounts.ts';
import type { StatementQuery } from './statement.ts';
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

type Balances = Readonly<Record<MemberClass, bigint>>;

/** The sum of the lines of one account and reason. */
export type StatementSum = {
  readonly class: MemberClass;
  readonly reason: Reason;
  readonly receivedMicros: bigint;
  readonly spentMicros: bigint;
  /** The number of lines; a transfer between two accounts of the member is one in each. */
  readonly lines: number;
};

export type StatementTotals = {
  /** The effective end of the period: no later than the reading. */
  readonly to: Date;
  readonly opening: Balances;
  readonly closing: Balances;
  readonly sums: readonly StatementSum[];
};

/**
 * The totals of a member's statement over a period, `from` inclusive, `to` exclusive. Filters by account and reason
 * apply to the sums only, not to the balances. Opening and closing balances come from the lines around the two
 * instants, the sums from the lines between: opening + received − spent = closing is checked for each account, not
 * assumed.
 *
 * A wallet with $40 that receives $100 and pays $60: opening 40, received 100, spent 60, closing 80.
 *
 * @param tx a snapshot (`inSnapshot`), because balances and sums are two statements
 */
export async function sumStatement(
  tx: Tx,
  { memberId, classes, reasons, from, to }: Omit<StatementQuery, 'before' | 'limit'>,
): Promise<StatementTotals> {
  const all = statementRanges(memberId, memberClassNames, undefined);
  const balancesAt = async (at: Date) => byClass(await listBalancesAt(tx, all, at));
  const now = await getBalances(tx, memberId);
  const end = await endOf(tx, from, to);
  const opening = from === undefined ? byClass([]) : await balancesAt(from);
  const closing = to === undefined ? now : await balancesAt(to);
  const wanted = statementRanges(memberId, classes ?? memberClassNames, reasons);
  const sums = mergeSides(await sumRanges(tx, wanted, { from, to }));
  if (reasons === undefined)
    for (const name of classes ?? memberClassNames) refuseImbalance(memberId, name, opening, closing, sums);
  return { to: end, opening, closing, sums };
}

/** Rounded up by a millisecond, the resolution of the API, so that everything read is before the end. */
async function endOf(tx: Tx, from: Date | undefined, to: Date | undefined): Promise<Date> {
  const read = (await readClock(tx)).getTime() + 1;
  return new Date(Math.max(from?.getTime() ?? 0, Math.min(to?.getTime() ?? read, read)));
}

function byClass(rows: readonly { account: bigint; balance: bigint }[]): Balances {
  const balances = new Map(rows.map((row) => [classOf(row.account), row.balance]));
  return Object.fromEntries(memberClassNames.map((name) => [name, balances.get(name) ?? 0n])) as Record<
    MemberClass,
    bigint
  >;
}

function mergeSides(rows: Awaited<ReturnType<typeof sumRanges>>): StatementSum[] {
  const sums = new Map<string, StatementSum>();
  for (const { account, reason, side, lines, amount } of rows) {
    const name = classOf(account) as MemberClass;
    const other = sums.get(`${name} ${reason}`);
    sums.set(`${name} ${reason}`, {
      class: name,
      reason,
      receivedMicros: (other?.receivedMicros ?? 0n) + (side === 'credit' ? amount : 0n),
      spentMicros: (other?.spentMicros ?? 0n) + (side === 'debit' ? amount : 0n),
      lines: (other?.lines ?? 0) + Number(lines),
    });
  }
  return [...sums.values()];
}

function refuseImbalance(
  memberId: bigint,
  name: MemberClass,
  opening: Balances,
  closing: Balances,
  sums: readonly StatementSum[],
): void {
  const moved = sums
    .filter((sum) => sum.class === name)
    .reduce((total, sum) => total + sum.receivedMicros - sum.spentMicros, 0n);
  assert.equal(opening[name] + moved, closing[name], `the statement of ${name} of member ${memberId} does not add up`);
}

type Sum = { account: bigint; reason: Reason; side: Side; lines: bigint; amount: bigint };
type Balance = { account: bigint; balance: bigint };

/** Number and sum of the lines of each range in the period; a range without lines is omitted. */
const sumRanges = (db: Db, ranges: StatementRanges, period: Period): Promise<Sum[]> =>
  listRows(db)`
    ${idBounds(period)} ${sumsOf('debit', ranges.debit, period)} union all ${sumsOf('credit', ranges.credit, period)}`;

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
 * The balance of each account at an instant, if it had moved before; `ranges` are all ranges of these accounts. It is
 * the balance after the last line that is certainly older, plus the lines from there to the instant: ids only roughly
 * follow time, so the last line before an instant cannot be found by id alone.
 */
const listBalancesAt = (db: Db, ranges: StatementRanges, at: Date): Promise<Balance[]> =>
  listRows(db)`
    ${idBounds({ from: at, to: at })}
    select part.account, sum(part.balance)::bigint as balance
    from (
      (select distinct on (older.account) older.account, older.balance
        from (${olderLinesOf('debit', ranges.debit)} union all ${olderLinesOf('credit', ranges.credit)}) older
        order by older.account, older.id desc)
      union all ${nearLinesOf('debit', ranges.debit)} union all ${nearLinesOf('credit', ranges.credit)}
    ) part(account, balance)
    group by part.account`;

function olderLinesOf(side: Side, ranges: readonly StatementRange[]): RawBuilder<unknown> {
  return sql`
    select range.account, t.id, ${sides[side].after} as balance
    from ${rangesOf(ranges)} cross join bound cross join lateral ${newestOf(side, {}, sql`bound.first_id`, 1)}`;
}

/**
 * Lines near the instant that are before it: those of two hours at most, few enough to be fast with any index.
 */
function nearLinesOf(side: Side, ranges: readonly StatementRange[]): RawBuilder<unknown> {
  const { own, sign } = sides[side];
  return sql`
    select range.account, ${sign}::bigint * near.amount
    from ${rangesOf(ranges)}
    cross join bound cross join lateral (
      select coalesce(sum(t.amount), 0) as amount from ledger.transfer t
      where ${own} = range.account and ${own} >= 32 and t.reason = range.reason
        and t.id >= bound.first_id and t.id < bound.end_id and t.created_at < bound.to_at
    ) near`;
}

/** Transfers carry the database's time, so the end of a reading is by its clock, too. */
const readClock = (db: Db): Promise<Date> => getValue(db)<Date>`select clock_timestamp() as now`;
