import type { Db } from '#server/db/connect.ts';
import type { Reason } from '../core/flow.ts';
import { type IncomeRow, listIncomeRows, listIncomeSums, listSumsBetween } from './income-sums-sql.ts';

type IncomeReason = Exclude<Reason, 'reversal'>;

/** First days of the periods that are running; market days, as `2026-03-04`. */
export type IncomePeriods = { readonly today: string; readonly week: string; readonly month: string };

export type IncomeSums = {
  readonly today: bigint;
  readonly week: bigint;
  readonly month: bigint;
  readonly lifetime: bigint;
};

/** A transfer into the profit wallet. `day` is its market day. */
export type IncomeTransfer = { readonly id: bigint; readonly day: string; readonly amountMicros: bigint };

const nothing: IncomeSums = { today: 0n, week: 0n, month: 0n, lifetime: 0n };

/**
 * What came into a member's profit wallet for each of these reasons, since the first days of the running periods and ever. A
 * transfer that was reversed never counted. All of them are read, in one pass: some milliseconds for
 * years of sessions.
 *
 * `sumIncomes(db, 17n, ['level_bonus'], { today: '2026-03-04', week: '2026-03-02', month: '2026-03-01' })`
 */
export async function sumIncomes<R extends IncomeReason>(
  db: Db,
  memberId: bigint,
  reasons: readonly R[],
  since: IncomePeriods,
): Promise<Record<R, IncomeSums>> {
  const rows = await listIncomeSums(db, memberId, reasons, since);
  const found = new Map(rows.map(({ reason, ...sums }) => [reason as IncomeReason, sums]));
  return Object.fromEntries(reasons.map((reason) => [reason, found.get(reason) ?? nothing])) as Record<R, IncomeSums>;
}

/** The same of one period by market days, both included; a bound that is absent does not bound. */
export async function sumIncomesBetween<R extends IncomeReason>(
  db: Db,
  memberId: bigint,
  reasons: readonly R[],
  period: { readonly from?: string | undefined; readonly to?: string | undefined } = {},
): Promise<Record<R, bigint>> {
  const rows = await listSumsBetween(db, memberId, reasons, period);
  const found = new Map(rows.map(({ reason, amount }) => [reason as IncomeReason, amount]));
  return Object.fromEntries(reasons.map((reason) => [reason, found.get(reason) ?? 0n])) as Record<R, bigint>;
}

/**
 * What came into a member's profit wallet for one reason, newest first, without what was reversed: one range of an index, read
 * from its end.
 *
 * @param query.to the last market day; `before` is the id of the last transfer already seen
 */
export async function listIncomes(
  db: Db,
  query: {
    readonly memberId: bigint;
    readonly reason: IncomeReason;
    readonly to?: string | undefined;
    readonly before?: bigint | undefined;
    readonly limit: number;
  },
): Promise<IncomeTransfer[]> {
  const rows = await listIncomeRows(db, query);
  return rows.map(({ id, day, amount }: IncomeRow) => ({ id, day, amountMicros: amount }));
}
