import { sql } from 'kysely';
import type { DepositState } from '#contract/funds/deposits.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { getRow, listRows } from '#server/db/rows.ts';
import { type DepositRow, depositColumns } from '../deposits/sql.ts';

/** Deposits of all members. `after` is the last id of the previous page; oldest first in review, else newest first. */
export async function listOperatorDepositRows(
  db: Db,
  filter: { readonly state: DepositState | undefined; readonly after: bigint | undefined; readonly limit: number },
): Promise<DepositRow[]> {
  const { state, after, limit } = filter;
  const isOldestFirst = state === 'review';
  const inState = state === undefined ? sql`true` : sql`state = ${state}`;
  const next = after === undefined ? sql`true` : isOldestFirst ? sql`id > ${after}` : sql`id < ${after}`;
  return listRows(db)<DepositRow>`
    select ${depositColumns} from funds.deposit where ${inState} and ${next}
    order by id ${isOldestFirst ? sql`asc` : sql`desc`} limit ${limit}`;
}

/** Stores an operator's decision on a deposit that the caller has locked. */
export const updateDecided = (
  tx: Tx,
  row: {
    readonly id: bigint;
    readonly state: DepositState;
    readonly creditMicros: bigint;
    readonly refundMicros: bigint;
    readonly note: string;
    readonly now: Date;
  },
) =>
  getRow(tx)<DepositRow>`
    update funds.deposit
    set state = ${row.state}, refunded_micros = refunded_micros + ${row.refundMicros}::bigint,
        credited_micros = case when ${row.creditMicros}::bigint > 0
                               then coalesce(credited_micros, 0) + ${row.creditMicros}::bigint else credited_micros end,
        note = ${row.note}, updated_at = ${row.now}, version = version + 1
    where id = ${row.id}
    returning ${depositColumns}`;
