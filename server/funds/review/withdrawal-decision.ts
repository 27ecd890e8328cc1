import type { RefusalCode } from '#contract/refusals.ts';
import { operators } from '#server/accounts/index.ts';
import { actingAs, type Decider, decide } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { findWithdrawal, lockWithdrawal, type WithdrawalRow } from '../withdrawals/withdrawal-sql.ts';
import { payerRoles } from './approvals.ts';

/** Which withdrawal is decided about, as the operator saw it; `otp` for decisions that let money out or give it back. */
export type Verdict = { readonly withdrawalId: bigint; readonly version: number; readonly otp?: string };

type Decision = {
  /** Why a withdrawal as it stands cannot be decided about like this. */
  readonly refusal: (withdrawal: WithdrawalRow) => RefusalCode | undefined;
  readonly carryOut: (tx: Tx, withdrawal: WithdrawalRow) => Promise<WithdrawalRow>;
};

/**
 * A decision of an operator about a withdrawal, which must be as they saw it (`decide`). Refuses `withdrawal_not_found`,
 * `withdrawal_changed`, and what the decision and every decision refuse.
 */
export function decideWithdrawal(
  context: Context,
  decider: Decider,
  { withdrawalId, version, otp }: Verdict,
  { refusal, carryOut }: Decision,
): Promise<WithdrawalRow> {
  const check = (withdrawal: WithdrawalRow | undefined): WithdrawalRow => {
    if (withdrawal === undefined) throw new Refused('withdrawal_not_found');
    if (withdrawal.version !== version) throw new Refused('withdrawal_changed');
    const code = refusal(withdrawal);
    if (code !== undefined) throw new Refused(code);
    return withdrawal;
  };
  return decide(context, decider, {
    operators,
    roles: payerRoles,
    otp,
    look: async (db) => check(await findWithdrawal(db, withdrawalId)),
    lock: async (tx) => check(await lockWithdrawal(tx, withdrawalId)),
    execute: carryOut,
  });
}

/** For decisions that leave the state as it is; those that move it are audited by the move. */
export async function auditDecision(
  tx: Tx,
  decider: Decider,
  entry: {
    readonly action: string;
    readonly before: WithdrawalRow;
    readonly after: WithdrawalRow;
    readonly more?: object;
  },
): Promise<void> {
  await writeAudit(tx, {
    ...actingAs(decider),
    action: entry.action,
    subject: `withdrawal:${entry.before.id}`,
    before: handlingOf(entry.before),
    after: { ...handlingOf(entry.after), ...entry.more },
  });
}

const handlingOf = (row: WithdrawalRow) => ({
  state: row.state,
  version: row.version,
  payout_way: row.payout_way,
  handler_id: row.handler_id,
});
