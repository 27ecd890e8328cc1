import type { RefusalCode } from '#contract/refusals.ts';
import { confirmOperator, lockDecider } from '#server/accounts/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { findWithdrawal, lockWithdrawal, type WithdrawalRow } from '../withdrawals/withdrawal-sql.ts';
import { payerRoles } from './approvals.ts';

/** The operator who decides, and from which network address. */
export type Decider = { readonly operatorId: bigint; readonly address: string };

/** The same for a move: who acts, and from where. */
export const actingAs = ({ operatorId, address }: Decider) =>
  ({ actor: { kind: 'operator', id: operatorId }, address }) as const;

/** Which withdrawal is decided about, as the operator saw it; `otp` for decisions that let money out or give it back. */
export type Verdict = { readonly withdrawalId: bigint; readonly version: number; readonly otp?: string };

type Decision = {
  /** Why a withdrawal as it stands cannot be decided about like this. */
  readonly refusal: (withdrawal: WithdrawalRow) => RefusalCode | undefined;
  readonly carryOut: (tx: Tx, withdrawal: WithdrawalRow) => Promise<WithdrawalRow>;
};

/**
 * The frame of every decision of the desk: the withdrawal is looked at, the second factor is taken, and in one
 * transaction the withdrawal is locked, looked at again and decided about. It must be as the operator saw it both times:
 * the first look only keeps a code, which is taken once, from being lost to a page that is out of date.
 *
 * Refuses `withdrawal_not_found`, `withdrawal_changed`, `second_factor_missing`, `wrong_second_factor`, `not_allowed` to
 * who was disabled meanwhile, and what the decision refuses.
 */
export async function decideWithdrawal(
  context: Context,
  decider: Decider,
  verdict: Verdict,
  { refusal, carryOut }: Decision,
): Promise<WithdrawalRow> {
  const check = (withdrawal: WithdrawalRow | undefined): WithdrawalRow => {
    if (withdrawal === undefined) throw new Refused('withdrawal_not_found');
    if (withdrawal.version !== verdict.version) throw new Refused('withdrawal_changed');
    const code = refusal(withdrawal);
    if (code !== undefined) throw new Refused(code);
    return withdrawal;
  };
  check(await findWithdrawal(context.db, verdict.withdrawalId));
  if (verdict.otp !== undefined) await confirmOperator(context.db, decider.operatorId, verdict.otp, context.now());
  return inTransaction(context.db, async (tx) => {
    const withdrawal = check(await lockWithdrawal(tx, verdict.withdrawalId));
    await lockDecider(tx, decider.operatorId, payerRoles);
    return carryOut(tx, withdrawal);
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
