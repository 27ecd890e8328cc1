import type { Withdrawal, WithdrawalDetail, WithdrawalState } from '#contract/funds/withdrawals.ts';
import { toDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, listRows } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import { findMemberWithdrawal, type WithdrawalRow } from './withdrawal-sql.ts';

/** A withdrawal as its member sees it: not who handles it, nor how it is paid. */
export const showWithdrawal = (row: WithdrawalRow): Withdrawal => ({
  id: row.id.toString(),
  reference: row.reference,
  amount: toDollars(row.amount_micros),
  fee: toDollars(row.fee_micros),
  net: toDollars(row.amount_micros - row.fee_micros),
  wallet_type: row.wallet,
  network: row.network,
  address: row.address,
  state: row.state,
  transaction: row.transaction,
  note: row.note,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** With its steps, oldest first. */
export const showWithdrawalDetail = (row: WithdrawalRow, steps: readonly StepRow[]): WithdrawalDetail => ({
  ...showWithdrawal(row),
  steps: steps.map(({ state, note, occurred_at: at }) => ({ state, note, at: at.toISOString() })),
});

/** One withdrawal of the member with its steps; another member's is as unknown as one that does not exist. */
export async function getWithdrawal({ db }: Context, memberId: bigint, id: bigint): Promise<WithdrawalDetail> {
  const row = await findMemberWithdrawal(db, memberId, id);
  if (row === undefined) throw new Refused('withdrawal_not_found');
  return showWithdrawalDetail(row, await listSteps(db, [id]));
}

export const insertStep = (
  tx: Tx,
  step: {
    readonly withdrawalId: bigint;
    readonly state: WithdrawalState;
    readonly note: string | null;
    readonly now: Date;
  },
) =>
  execute(tx)`
    insert into funds.withdrawal_step (withdrawal_id, state, note, occurred_at)
    values (${step.withdrawalId}, ${step.state}, ${step.note}, ${step.now})`;

type StepRow = {
  readonly withdrawal_id: bigint;
  readonly state: WithdrawalState;
  readonly note: string | null;
  readonly occurred_at: Date;
};

/** Steps of some withdrawals, each one's oldest first. */
export const listSteps = (db: Db, withdrawalIds: readonly bigint[]) =>
  listRows(db)<StepRow>`
    select withdrawal_id, state, note, occurred_at from funds.withdrawal_step
    where withdrawal_id = any(${withdrawalIds}::bigint[]) order by withdrawal_id, id`;
