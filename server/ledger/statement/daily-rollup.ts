import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, listRows } from '#server/db/rows.ts';
import { type AccountClass, findClassName } from '../core/account.ts';
import type { DailyRollup } from '../core/daily-rollup.ts';
import type { Reason } from '../core/flow.ts';

/** What moved between two account classes for one reason. A reversal is subtracted from the flow it reverses. */
export type Flow = {
  readonly from: AccountClass;
  readonly to: AccountClass;
  readonly reason: Reason;
  readonly micros: bigint;
  /** Transfers minus reversals. */
  readonly count: bigint;
};

export type DayFlow = Flow & { readonly day: string };

/** Earlier and later than any market day. */
const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

/** As stored: accounts by class number. */
type Numbered = Omit<DailyRollup, 'day'>;
type NumberedDay = Numbered & { readonly day: string };

const columns = sql`from_class as "from", to_class as "to", reason::text as reason, amount as micros, count`;

/**
 * Flows of each market day, oldest first: the totals stored with the seals plus the transfers since, so they are
 * current. Both bounds are inclusive and optional. A reversal counts on its own day.
 */
export async function listFlows(
  db: Db,
  { fromDay = FIRST_DAY, toDay = LAST_DAY }: { readonly fromDay?: string; readonly toDay?: string } = {},
): Promise<DayFlow[]> {
  const rows = await listRows(db)<NumberedDay>`
    select day::text as day, ${columns} from ledger.flows_by_day(${fromDay}::date, ${toDay}::date)
    order by day, from_class, to_class, reason`;
  return rows.map(named);
}

/** Flows by calendar month, starting with the month of `fromDay`; `day` is the first of each. */
export async function listMonthFlows(db: Db, fromDay: string): Promise<DayFlow[]> {
  const rows = await listRows(db)<NumberedDay>`
    select date_trunc('month', day)::date::text as day, from_class as "from", to_class as "to", reason::text as reason,
      sum(amount)::bigint as micros, sum(count)::bigint as count
    from ledger.flows_by_day(${`${fromDay.slice(0, 7)}-01`}::date, 'infinity')
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`;
  return rows.map(named);
}

/** Totals of all days, read from stored totals: the cost does not grow with their number. */
export async function sumFlows(db: Db): Promise<Flow[]> {
  const rows = await listRows(db)<Numbered>`
    select ${columns} from ledger.flows_of_all_time() order by from_class, to_class, reason`;
  return rows.map(named);
}

const named = <Row extends Numbered>(row: Row) => ({
  ...row,
  from: nameOf(row.from),
  to: nameOf(row.to),
  reason: row.reason as Reason,
});

function nameOf(number: number): AccountClass {
  const name = findClassName(number);
  assert(name !== undefined, `${number} is no account class`);
  return name;
}

/** Adds what a new seal covers. The caller holds the sealing lock, so no other process writes these rows. */
export const addDailyRollups = (tx: Tx, flows: readonly DailyRollup[]): Promise<void> =>
  execute(tx)`
    insert into ledger.flow_total as t (day, from_class, to_class, reason, amount, count)
    select day, from_class, to_class, reason::ledger.reason, amount, count
    from unnest(
      ${flows.map((flow) => flow.day)}::date[], ${flows.map((flow) => flow.from)}::smallint[], ${flows.map((flow) => flow.to)}::smallint[],
      ${flows.map((flow) => flow.reason)}::text[], ${flows.map((flow) => flow.micros)}::bigint[], ${flows.map((flow) => flow.count)}::bigint[]
    ) as f(day, from_class, to_class, reason, amount, count)
    on conflict (day, from_class, to_class, reason) do update
    set amount = t.amount + excluded.amount, count = t.count + excluded.count`;

/** The stored totals of sealed transfers, for verification. */
export const listStoredRollups = (db: Db): Promise<DailyRollup[]> =>
  listRows(db)`select day::text as day, ${columns} from ledger.flow_total`;

/** SQL for `from_name, to_name, reason, amount`: the flows of all days, by account name. */
export const allFlows: RawBuilder<unknown> = sql`
  select f.name as from_name, t.name as to_name, flow.reason::text as reason, flow.amount
  from ledger.flows_of_all_time() flow
  join ledger.account_class f on f.no = flow.from_class
  join ledger.account_class t on t.no = flow.to_class`;

/** SQL for `name, balance` of the house accounts. */
export const houseBalances: RawBuilder<unknown> = sql`
  select c.name, h.balance from ledger.house_balance() h join ledger.account_class c on c.no = h.class`;
