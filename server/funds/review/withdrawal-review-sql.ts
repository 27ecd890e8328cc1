import { sql } from 'kysely';
import type { WithdrawalState } from '#contract/funds/withdrawals.ts';
import type { Db } from '#server/db/connect.ts';
import { openWithdrawalStates } from '../core/withdrawal-move.ts';
import { type WithdrawalRow, withdrawalColumns } from '../withdrawals/withdrawal-sql.ts';

const waits = (state: WithdrawalState | undefined): boolean =>
  state !== undefined && (openWithdrawalStates as readonly WithdrawalState[]).includes(state);

/** Of all members. `after` is the id of the last row already shown; of those that wait the oldest come first. */
export async function listDeskWithdrawalRows(
  db: Db,
  filter: { readonly state: WithdrawalState | undefined; readonly after: bigint | undefined; readonly limit: number },
): Promise<WithdrawalRow[]> {
  const { state, after, limit } = filter;
  const isOldestFirst = waits(state);
  const inState = state === undefined ? sql`true` : sql`state = ${state}`;
  const next = after === undefined ? sql`true` : isOldestFirst ? sql`id > ${after}` : sql`id < ${after}`;
  const { rows } = await sql<WithdrawalRow>`
    select ${withdrawalColumns} from funds.withdrawal where ${inState} and ${next}
    order by id ${isOldestFirst ? sql`asc` : sql`desc`} limit ${limit}`.execute(db);
  return rows;
}

export type DaySumRow = { readonly member_id: bigint; readonly day: string; readonly live_micros: bigint };

/** What each of these members asked for on each day on which one of these withdrawals was requested. */
export async function listDaySums(db: Db, withdrawalIds: readonly bigint[]): Promise<DaySumRow[]> {
  const { rows } = await sql<DaySumRow>`
    select distinct d.member_id, d.day::text as day, d.live_micros
    from funds.withdrawal w join funds.withdrawal_day d on d.member_id = w.member_id and d.day = w.requested_on
    where w.id = any(${withdrawalIds}::bigint[])`.execute(db);
  return rows;
}

/** Those of these withdrawals before which none of their member was completed. */
export async function listFirstPayouts(db: Db, withdrawalIds: readonly bigint[]): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select w.id from funds.withdrawal w
    where w.id = any(${withdrawalIds}::bigint[]) and not exists (
      select from funds.withdrawal earlier
      where earlier.member_id = w.member_id and earlier.state = 'completed' and earlier.id < w.id)`.execute(db);
  return rows.map((row) => row.id);
}

/** Those of these members whose withdrawals are stopped. */
export async function listWithdrawalFreezes(db: Db, memberIds: readonly bigint[]): Promise<bigint[]> {
  const { rows } = await sql<{ member_id: bigint }>`
    select member_id from funds.withdrawal_freeze where member_id = any(${memberIds}::bigint[])`.execute(db);
  return rows.map((row) => row.member_id);
}
