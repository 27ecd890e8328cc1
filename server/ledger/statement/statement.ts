import type { Db } from '#server/db/connect.ts';
import { classOf, type MemberClass, memberClassNames } from '../core/account.ts';
import type { Reason } from '../core/flow.ts';
import { statementRanges } from '../core/statement-range.ts';
import { listLines, sumAmounts } from './statement-sql.ts';

/** Absent filters do not filter. `from` is included, `to` is not; both are real time. */
export type StatementQuery = {
  readonly memberId: bigint;
  readonly classes?: readonly MemberClass[] | undefined;
  readonly reasons?: readonly Reason[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** The `position` of the last line already seen. */
  readonly before?: bigint | undefined;
  readonly limit: number;
};

/** A transfer between two accounts of one member is two lines: a debit and a credit. */
export type StatementLine = {
  /** Place in the statement, growing with time: what `before` takes. */
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
 * A page of a member's statement, newest first. Any page of any filter takes the same time, however many movements
 * there are, because each combination of account, side and reason is one range of an index, read from its end.
 */
export async function listStatement(db: Db, query: StatementQuery): Promise<StatementLine[]> {
  const ranges = statementRanges(query.memberId, query.classes ?? memberClassNames, query.reasons);
  const rows = await listLines(db, ranges, query);
  return rows.map((row) => ({
    position: row.position,
    transferId: row.position / 2n,
    class: classOf(row.account) as MemberClass,
    reason: row.reason,
    signedMicros: row.signed_amount,
    balanceAfterMicros: row.balance_after,
    reference: row.reference,
    note: row.note,
    createdAt: row.created_at,
    marketAt: row.market_at,
  }));
}

/**
 * How much moved into (`credit`) or out of (`debit`) a member's accounts for these reasons, less what was reversed.
 * Deposited over a life: `sumTransfers(db, { memberId, side: 'credit', reasons: ['deposit', 'deposit_allocated'] })`.
 * Transfers between two accounts of the same member count on the side asked for.
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
