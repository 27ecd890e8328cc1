import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import type { FlowTotal } from '../core/flow-totals.ts';

/** Adds what a new seal covers. Whoever calls holds the lock of sealing, so nobody else writes these rows. */
export async function addFlowTotals(tx: Tx, flows: readonly FlowTotal[]): Promise<void> {
  await sql`
    insert into ledger.flow_total as t (day, from_class, to_class, reason, amount, count)
    select day, from_class, to_class, reason::ledger.reason, amount, count
    from unnest(
      ${flows.map((flow) => flow.day)}::date[], ${flows.map((flow) => flow.from)}::smallint[], ${flows.map((flow) => flow.to)}::smallint[],
      ${flows.map((flow) => flow.reason)}::text[], ${flows.map((flow) => flow.micros)}::bigint[], ${flows.map((flow) => flow.count)}::bigint[]
    ) as f(day, from_class, to_class, reason, amount, count)
    on conflict (day, from_class, to_class, reason) do update
    set amount = t.amount + excluded.amount, count = t.count + excluded.count`.execute(tx);
}

const columns = sql`from_class as "from", to_class as "to", reason::text as reason, amount as micros, count`;

export type DayFlow = FlowTotal & { readonly day: string };

/** Flows of the market days from one to another, both included, oldest day first. */
export async function listDayFlows(db: Db, fromDay: string, toDay: string): Promise<DayFlow[]> {
  const { rows } = await sql<DayFlow>`
    select day::text as day, ${columns} from ledger.flows_by_day(${fromDay}::date, ${toDay}::date)
    order by day, from_class, to_class, reason`.execute(db);
  return rows;
}

/** The same by calendar month, from a day on; `day` is the month's first. */
export async function listMonthSums(db: Db, fromDay: string): Promise<DayFlow[]> {
  const { rows } = await sql<DayFlow>`
    select date_trunc('month', day)::date::text as day, from_class as "from", to_class as "to", reason::text as reason,
      sum(amount)::bigint as micros, sum(count)::bigint as count
    from ledger.flows_by_day(${fromDay}::date, 'infinity')
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db);
  return rows;
}

/** Flows of all days together. */
export async function listAllFlows(db: Db): Promise<Omit<FlowTotal, 'day'>[]> {
  const { rows } = await sql<Omit<FlowTotal, 'day'>>`
    select ${columns} from ledger.flows_of_all_time() order by from_class, to_class, reason`.execute(db);
  return rows;
}

/** What is stored of the sealed transfers, for those who check it. */
export async function listStoredTotals(db: Db): Promise<FlowTotal[]> {
  const { rows } = await sql<FlowTotal>`select day::text as day, ${columns} from ledger.flow_total`.execute(db);
  return rows;
}

/** SQL for `from_name, to_name, reason, amount`: flows of all days together, by the names of the accounts. */
export const allFlows: RawBuilder<unknown> = sql`
  select f.name as from_name, t.name as to_name, flow.reason::text as reason, flow.amount
  from ledger.flows_of_all_time() flow
  join ledger.account_class f on f.no = flow.from_class
  join ledger.account_class t on t.no = flow.to_class`;

/** SQL for `name, balance` of the house as its checkpoints have it. */
export const houseBalances: RawBuilder<unknown> = sql`
  select c.name, h.balance from ledger.house_balance() h join ledger.account_class c on c.no = h.class`;
