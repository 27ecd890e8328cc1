import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

/** False when this operator approved it before. */
export async function insertApproval(
  tx: Tx,
  approval: { readonly withdrawalId: bigint; readonly operatorId: bigint; readonly now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into funds.withdrawal_approval (withdrawal_id, operator_id, approved_at)
    values (${approval.withdrawalId}, ${approval.operatorId}, ${approval.now})
    on conflict (withdrawal_id, operator_id) do nothing returning 1`.execute(tx);
  return rows.length === 1;
}

export type ApprovalRow = {
  readonly withdrawal_id: bigint;
  readonly operator_id: bigint;
  readonly approved_at: Date;
};

/** Of some withdrawals, in the order they were given. */
export async function listApprovals(db: Db, withdrawalIds: readonly bigint[]): Promise<ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow>`
    select withdrawal_id, operator_id, approved_at from funds.withdrawal_approval
    where withdrawal_id = any(${withdrawalIds}::bigint[]) order by withdrawal_id, approved_at, operator_id`.execute(db);
  return rows;
}
