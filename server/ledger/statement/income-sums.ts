import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import type { Reason } from '../core/flow.ts';
import { memberAccount } from '../posting/accounts.ts';

type IncomeReason = Exclude<Reason, 'reversal'>;

/** First days of the current periods; market days, as `2026-03-04`. */
export type IncomePeriods = { readonly today: string; readonly week: string; readonly month: string };

export type IncomeSums = Readonly<Record<'today' | 'week' | 'month' | 'lifetime', bigint>>;

/** A transfer into the profit wallet. `day` is its market day. */
export type IncomeTransfer = { readonly id: bigint; readonly day: string; readonly amountMicros: bigint };

const nothing: IncomeSums = { today: 0n, week: 0n, month: 0n, lifetime: 0n };

/** The market day of a transfer: days are UTC (docs/product.md, section 3). */
const marketDay = sql`(t.market_at at time zone 'UTC')::date`;
/** The start of a market day, `plus` days later. */
const dayStart = (day: string, plus = 0): RawBuilder<unknown> =>
  sql`((${day}::date + ${plus}::int)::timestamp at time zone 'UTC')`;

/** Ids of a member's reversed incomes: few, so the subquery is hashed once. */
const reversed = (memberId: bigint) => sql`
  select r.reverses from ledger.transfer r
  where r.from_account = ${memberAccount(memberId, 'profit')} and r.from_account >= 32 and r.reason = 'reversal'`;

/** Incomes of a member that were not reversed. Together with a reason it is one range of the index `transfer_to`. */
const isIncome = (memberId: bigint): RawBuilder<unknown> => sql`
  t.to_account = ${memberAccount(memberId, 'profit')} and t.to_account >= 32 and t.id not in (${reversed(memberId)})`;

const upTo = (to: string | undefined) => (to === undefined ? sql`` : sql`and t.market_at < ${dayStart(to, 1)}`);

/**
 * Income of a member's profit wallet for each of these reasons: since the first days of the current periods, and
 * lifetime. Reversed transfers do not count. Reads all of them in one pass, which takes milliseconds for years of
 * sessions.
 *
 * `sumIncomes(db, 17n, ['level_bonus'], { today: '2026-03-04', week: '2026-03-02', month: '2026-03-01' })`
 */
export async function sumIncomes<R extends IncomeReason>(
  db: Db,
  memberId: bigint,
  reasons: readonly R[],
  { today, week, month }: IncomePeriods,
): Promise<Record<R, IncomeSums>> {
  const since = (day: string) => sql`
    coalesce(sum(t.amount) filter (where t.market_at >= ${dayStart(day)}), 0)::bigint`;
  const rows = await listRows(db)<IncomeSums & { readonly reason: Reason }>`
    select t.reason, ${since(today)} as today, ${since(week)} as week, ${since(month)} as month, sum(t.amount)::bigint as lifetime
    from ledger.transfer t
    where ${isIncome(memberId)} and t.reason = any(${reasons}::ledger.reason[])
    group by t.reason`;
  const found = new Map(rows.map(({ reason, ...sums }) => [reason as IncomeReason, sums]));
  return Object.fromEntries(reasons.map((reason) => [reason, found.get(reason) ?? nothing])) as Record<R, IncomeSums>;
}

/** The same for one period of market days; both bounds are inclusive and optional. */
export async function sumIncomesBetween<R extends IncomeReason>(
  db: Db,
  memberId: bigint,
  reasons: readonly R[],
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined } = {},
): Promise<Record<R, bigint>> {
  const rows = await listRows(db)<{ readonly reason: Reason; readonly amount: bigint }>`
    select t.reason, sum(t.amount)::bigint as amount
    from ledger.transfer t
    where ${isIncome(memberId)} and t.reason = any(${reasons}::ledger.reason[])
      ${from === undefined ? sql`` : sql`and t.market_at >= ${dayStart(from)}`} ${upTo(to)}
    group by t.reason`;
  const found = new Map(rows.map(({ reason, amount }) => [reason as IncomeReason, amount]));
  return Object.fromEntries(reasons.map((reason) => [reason, found.get(reason) ?? 0n])) as Record<R, bigint>;
}

/**
 * Income of a member's profit wallet for one reason, newest first, without reversed transfers. Reads one range of an
 * index from its end.
 *
 * @param query.to the last market day; `before` is the id of the last transfer already shown
 */
export const listIncomes = (
  db: Db,
  query: {
    readonly memberId: bigint;
    readonly reason: IncomeReason;
    readonly to?: string | undefined;
    readonly before?: bigint | undefined;
    readonly limit: number;
  },
): Promise<IncomeTransfer[]> =>
  listRows(db)`
    select t.id, ${marketDay}::text as day, t.amount as "amountMicros"
    from ledger.transfer t
    where ${isIncome(query.memberId)} and t.reason = ${query.reason}::ledger.reason
      ${query.before === undefined ? sql`` : sql`and t.id < ${query.before}`} ${upTo(query.to)}
    order by t.id desc limit ${query.limit}`;
