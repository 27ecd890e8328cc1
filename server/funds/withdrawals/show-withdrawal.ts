import type { Withdrawal, WithdrawalDetail } from '#contract/funds/withdrawals.ts';
import { toDollars } from '#contract/money.ts';
import type { WithdrawalRow } from './withdrawal-sql.ts';
import type { StepRow } from './withdrawal-step-sql.ts';

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
