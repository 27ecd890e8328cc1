import assert from 'node:assert';
import type { Db } from '#server/db/connect.ts';
import { type AccountClass, findClassName } from '../core/account.ts';
import type { Reason } from '../core/flow.ts';
import { listAllFlows, listDayFlows, listMonthSums } from './flow-total-sql.ts';

/** How much moved from one kind of account to another for a reason. A reversal is taken off what it reverses. */
export type Flow = {
  readonly from: AccountClass;
  readonly to: AccountClass;
  readonly reason: Reason;
  readonly micros: bigint;
  /** Transfers less reversals. */
  readonly count: bigint;
};

export type DayFlow = Flow & { readonly day: string };

/** Before and after every day a market can have. */
const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

/**
 * Flows of each market day, oldest first, exact as of now: what the seals added up and what came since. Both days are
 * included; without them it is every day there was. A reversal counts on its own day.
 */
export async function listFlows(
  db: Db,
  { fromDay = FIRST_DAY, toDay = LAST_DAY }: { readonly fromDay?: string; readonly toDay?: string } = {},
): Promise<DayFlow[]> {
  const rows = await listDayFlows(db, fromDay, toDay);
  return rows.map((row) => ({ ...named(row), day: row.day }));
}

/** The same by calendar month from the month of a day on; `day` is the first of each. */
export async function listMonthFlows(db: Db, fromDay: string): Promise<DayFlow[]> {
  const rows = await listMonthSums(db, `${fromDay.slice(0, 7)}-01`);
  return rows.map((row) => ({ ...named(row), day: row.day }));
}

/** The same of all days together, whose number does not matter. */
export async function sumFlows(db: Db): Promise<Flow[]> {
  return (await listAllFlows(db)).map(named);
}

const named = (row: { from: number; to: number; reason: string; micros: bigint; count: bigint }): Flow => ({
  from: nameOf(row.from),
  to: nameOf(row.to),
  reason: row.reason as Reason,
  micros: row.micros,
  count: row.count,
});

function nameOf(number: number): AccountClass {
  const name = findClassName(number);
  assert(name !== undefined, `${number} is no account class`);
  return name;
}
