import { sql } from 'kysely';
import type { WithdrawalState } from '#contract/funds/withdrawals.ts';
import type { Db, Tx } from '#server/db/connect.ts';

export async function insertStep(
  tx: Tx,
  step: {
    readonly withdrawalId: bigint;
    readonly state: WithdrawalState;
    readonly note: string | null;
    readonly now: Date;
  },
): Promise<void> {
  await sql`
    insert into funds.withdrawal_step (withdrawal_id, state, note, occurred_at)
    values (${step.withdrawalId}, ${step.state}, ${step.note}, ${step.now})`.execute(tx);
}

export type StepRow = {
  readonly withdrawal_id: bigint;
  readonly state: WithdrawalState;
  readonly note: string | null;
  readonly occurred_at: Date;
};

/** Steps of some withdrawals, each one's oldest first. */
export async function listSteps(db: Db, withdrawalIds: readonly bigint[]): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`
    select withdrawal_id, state, note, occurred_at from funds.withdrawal_step
    where withdrawal_id = any(${withdrawalIds}::bigint[]) order by withdrawal_id, id`.execute(db);
  return rows;
}
