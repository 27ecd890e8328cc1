import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { twoOperatorsFromMicros } from '../core/withdrawal-rules.ts';

export async function insertApproval(
  tx: Tx,
  approval: { readonly withdrawalId: bigint; readonly operatorId: bigint; readonly now: Date },
): Promise<void> {
  await sql`
    insert into funds.withdrawal_approval (withdrawal_id, operator_id, approved_at)
    values (${approval.withdrawalId}, ${approval.operatorId}, ${approval.now})`.execute(tx);
}

export type ApprovalRow = {
  readonly withdrawal_id: bigint;
  readonly operator_id: bigint;
  readonly approved_at: Date;
};

/** Of some withdrawals, in the order they were given, also those that do not count any more. */
export async function listApprovalRows(db: Db, withdrawalIds: readonly bigint[]): Promise<ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow>`
    select withdrawal_id, operator_id, approved_at from funds.withdrawal_approval
    where withdrawal_id = any(${withdrawalIds}::bigint[]) order by withdrawal_id, approved_at, operator_id`.execute(db);
  return rows;
}

/** Requested ones of members and days that two operators have to approve. */
export async function listTwoPersonIds(db: Db): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select w.id from funds.withdrawal w
    join funds.withdrawal_day d on d.member_id = w.member_id and d.day = w.requested_on
    where w.state = 'requested' and d.live_micros >= ${twoOperatorsFromMicros}`.execute(db);
  return rows.map((row) => row.id);
}
